/// The name of an element or attribute in small letters, up to 16 bytes, without memory of its own. Longer names are
/// none that anything is done with.
struct TagName: Hashable, Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0
    private(set) var count = 0

    init() {}

    init(_ text: StaticString) { for byte in text.description.utf8 { append(byte) } }

    mutating func append(_ byte: UInt8) {
        let byte = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
        if count < 8 {
            low |= UInt64(byte) << UInt64(8 * count)
        } else if count < 16 {
            high |= UInt64(byte) << UInt64(8 * (count - 8))
        }
        if count < 17 { count += 1 }
    }

    /// Whether it begins with `on`, as attributes do that run scripts.
    var isHandler: Bool { count > 2 && low & 0xFFFF == 0x6E6F }
}

/// What is done with an element of a document.
enum TagRule: Sendable {
    /// It is written, as this one.
    case element(PageElement)
    /// A line end, a line across.
    case lineBreak, line
    case picture
    case link
    /// A frame around nothing that is shown: its content goes on.
    case open(DocumentOmission?)
    /// Its content is raw text: left out up to its end tag.
    case raw(DocumentOmission?)
    /// Its content is left out, up to the end tag of the same name on the same level.
    case tree(DocumentOmission)
    /// It has no content.
    case void(DocumentOmission)
    case meta
    /// A field: its text is its value.
    case option

    static let all: [TagName: TagRule] = {
        var rules: [TagName: TagRule] = [:]
        for (name, element) in elements { rules[TagName(name)] = .element(element) }
        for (name, rule) in others { rules[TagName(name)] = rule }
        return rules
    }()

    private static let elements: [(StaticString, PageElement)] = [
        ("p", .p), ("div", .div), ("section", .div), ("article", .div), ("main", .div), ("header", .div),
        ("footer", .div), ("nav", .div), ("aside", .div), ("address", .div), ("figure", .div), ("figcaption", .div),
        ("center", .div), ("details", .div), ("summary", .div), ("fieldset", .div), ("legend", .div), ("hgroup", .div),
        ("h1", .h1), ("h2", .h2), ("h3", .h3), ("h4", .h4), ("h5", .h5), ("h6", .h6), ("ul", .ul), ("menu", .ul),
        ("dir", .ul), ("ol", .ol), ("li", .li), ("dl", .dl), ("dt", .dt), ("dd", .dd), ("table", .table),
        ("caption", .caption), ("thead", .thead), ("tbody", .tbody), ("tfoot", .tbody), ("tr", .tr), ("td", .td),
        ("th", .th), ("blockquote", .blockquote), ("q", .span), ("pre", .pre), ("listing", .pre), ("code", .code),
        ("samp", .code), ("kbd", .code), ("tt", .code), ("b", .strong), ("strong", .strong), ("i", .em), ("em", .em),
        ("cite", .em), ("dfn", .em), ("var", .em), ("u", .u), ("ins", .u), ("s", .s), ("strike", .s), ("del", .s),
        ("sub", .sub), ("sup", .sup), ("mark", .strong),
    ]

    private static let others: [(StaticString, TagRule)] = [
        ("br", .lineBreak), ("hr", .line), ("img", .picture), ("image", .picture), ("a", .link),
        ("script", .raw(.script)), ("style", .raw(.style)), ("textarea", .raw(.form)), ("xmp", .raw(.embeddedObject)),
        ("title", .raw(nil)), ("noembed", .raw(.alternative)), ("noframes", .raw(.alternative)),
        ("noscript", .raw(.alternative)),
        ("plaintext", .raw(.embeddedObject)), ("iframe", .raw(.frame)), ("frame", .void(.frame)),
        ("frameset", .open(.frame)), ("svg", .tree(.drawing)), ("math", .tree(.drawing)), ("canvas", .tree(.drawing)),
        ("object", .tree(.embeddedObject)), ("applet", .tree(.embeddedObject)), ("audio", .tree(.remoteContent)),
        ("video", .tree(.remoteContent)), ("portal", .tree(.frame)), ("template", .tree(.embeddedObject)),
        ("select", .tree(.form)), ("embed", .void(.embeddedObject)), ("source", .void(.remoteContent)),
        ("track", .void(.remoteContent)), ("bgsound", .void(.remoteContent)), ("param", .void(.embeddedObject)),
        ("link", .void(.externalReference)), ("base", .void(.externalReference)), ("input", .void(.form)),
        ("keygen", .void(.form)), ("isindex", .void(.form)), ("area", .void(.otherLink)), ("form", .open(.form)),
        ("button", .open(.form)), ("dialog", .open(nil)), ("meta", .meta), ("map", .open(nil)), ("picture", .open(nil)),
    ]
}
