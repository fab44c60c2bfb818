/// What a page leaves out of a document.
public enum DocumentOmission: String, Hashable, Sendable, CaseIterable {
    /// A script, or what runs one.
    case script
    /// An attribute that runs a script (`onclick` and its like).
    case handler
    /// A style sheet of the document.
    case style
    /// A page in the page.
    case frame
    /// A field, a button or a form.
    case form
    /// A picture, sound, film or font that lies on a server.
    case remoteContent = "remote-content"
    /// An object, applet, sound or film.
    case embeddedObject = "embedded-object"
    /// A drawing (SVG, MathML, canvas, DrawingML).
    case drawing
    /// A demand to go to another page.
    case refresh
    /// A relation to another file (`link`, `base`), or a part that lies elsewhere.
    case externalReference = "external-reference"
    /// A link to something else than a web page or an e-mail address.
    case otherLink = "other-link"
    /// A macro.
    case macro
    /// A field that computes or fetches (INCLUDEPICTURE, DDE).
    case field
    /// Text that the document hides or has deleted.
    case hiddenText = "hidden-text"
    /// A picture that is none of PNG, JPEG, GIF and WebP.
    case unknownPicture = "unknown-picture"
    /// A picture that is too large.
    case largePicture = "large-picture"
    /// A file inside the document.
    case attachment
    /// A part with remarks of readers.
    case comment
    /// The speaker's notes of a slide.
    case speakerNote = "speaker-note"
    /// A header or footer that stands on each printed page.
    case pageHeader = "page-header"
    /// A character of a font of symbols, which means something in that font alone.
    case symbol
    /// A second form of a text that is shown: the HTML of an e-mail that has plain text, what a browser without
    /// scripts or frames would show.
    case alternative
    /// A control or direction character.
    case controlCharacter = "control-character"
    /// The text of a PDF's pages, which could not be read: the pages are pictures alone.
    case pageText = "page-text"
    /// Something nested beyond the limit.
    case tooDeep = "too-deep"
    /// The rest of the document, beyond the limit or behind something that never ends.
    case rest

    var words: (one: String, many: String) {
        switch self {
        case .script: ("script", "scripts")
        case .handler: ("attribute that runs a script", "attributes that run a script")
        case .style: ("style sheet", "style sheets")
        case .frame: ("page in the page", "pages in the page")
        case .form: ("form or field", "forms and fields")
        case .remoteContent: ("picture or file on a server", "pictures and files on servers")
        case .embeddedObject: ("embedded object", "embedded objects")
        case .drawing: ("drawing", "drawings")
        case .refresh: ("demand to go to another page", "demands to go to another page")
        case .externalReference: ("relation to another file", "relations to other files")
        case .otherLink: ("link that is no web address", "links that are no web addresses")
        case .macro: ("macro", "macros")
        case .field: ("field that computes or fetches", "fields that compute or fetch")
        case .hiddenText: ("hidden or deleted text", "hidden or deleted texts")
        case .unknownPicture: ("picture of another kind", "pictures of another kind")
        case .largePicture: ("picture that is too large", "pictures that are too large")
        case .attachment: ("file inside it", "files inside it")
        case .comment: ("part with comments", "parts with comments")
        case .speakerNote: ("speaker's note", "speaker's notes")
        case .pageHeader: ("header or footer of pages", "headers and footers of pages")
        case .symbol: ("character of a symbol font", "characters of symbol fonts")
        case .alternative: ("other form of a text", "other forms of texts")
        case .controlCharacter: ("control character", "control characters")
        case .pageText: ("text of the pages", "texts of the pages")
        case .tooDeep: ("part that is nested too deeply", "parts that are nested too deeply")
        case .rest: ("rest that is not shown", "rests that are not shown")
        }
    }
}

/// How much of each kind a page leaves out: nothing is left out without being told.
public struct DocumentOmissions: Hashable, Sendable {
    private var counts: [DocumentOmission: Int] = [:]

    init() {}

    /// How much of this kind.
    public subscript(_ kind: DocumentOmission) -> Int { counts[kind] ?? 0 }

    /// All that is not 0, in the order of the kinds.
    public var all: [(kind: DocumentOmission, count: Int)] {
        DocumentOmission.allCases.compactMap { kind in counts[kind].map { (kind, $0) } }
    }

    /// Whether nothing was left out.
    public var isEmpty: Bool { counts.isEmpty }

    /// One sentence for a person.
    public var sentence: String {
        guard !isEmpty else { return "Nothing was left out." }
        let parts = all.map { "\($0.count) \($0.count == 1 ? $0.kind.words.one : $0.kind.words.many)" }
        return "Left out: \(parts.joined(separator: ", "))."
    }

    mutating func add(_ kind: DocumentOmission, _ count: Int = 1) {
        if count > 0 { counts[kind, default: 0] += count }
    }
}
