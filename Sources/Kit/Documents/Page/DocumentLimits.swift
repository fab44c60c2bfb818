/// How much of a document is read, and how much a page may become. What goes beyond is left out and told, or refused.
public struct DocumentLimits: Hashable, Sendable {
    /// The most bytes of a document; more are refused.
    public var bytes = 128 << 20
    /// The most bytes of a page.
    public var page = 256 << 20
    /// The most elements inside each other.
    public var depth = 256
    /// The most numbered links.
    public var links = 10_000
    /// The most bytes of one picture, and of all pictures together.
    public var picture = 16 << 20, pictures = 64 << 20
    /// The most pixels of a picture.
    public var pixels = 64_000_000
    /// The most files in an archive.
    public var entries = 10_000
    /// The most bytes of one file of an archive, and of all that are read, when they are unpacked.
    public var entry = 64 << 20, unpacked = 256 << 20
    /// How many times larger than packed a file of more than 1 MiB may be.
    public var ratio = 200

    /// The usual limits.
    public static let standard = DocumentLimits()
}

/// Why there is no page of a document.
public enum DocumentFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The document is larger than the limit, in bytes.
    case tooLarge(limit: Int)
    /// It is none of the kinds that are read.
    case unknownKind
    /// A part that is needed cannot be read.
    case damaged(Part)
    /// It is encrypted.
    case encrypted
    /// It would unpack to more than the limits allow, or take more work, or its archive contradicts itself.
    case bomb
    /// Its XML declares a document type, which can name files and multiply entities.
    case documentType
    /// It is a PDF, and this system cannot make pictures of its pages: on Linux a program is needed for that
    /// (`pdftoppm` of poppler-utils).
    case pdf
    /// It is a PDF, and this machine does not keep the program that makes pictures of its pages from what is named: it
    /// tried before it read the document. It takes a kernel with seccomp filters, and Landlock or namespaces that this
    /// user may make. None is named where the program could not be confined for another reason.
    case unprotected(Set<Protection>)

    /// What the program that makes pictures of a PDF's pages must be kept from.
    public enum Protection: String, Hashable, Sendable, CaseIterable {
        /// The network, and the machine's own services.
        case network
        /// Files that it does not need.
        case files
        /// Other processes, and the user's keys in the kernel.
        case processes
        /// Rights that it did not have at its start.
        case rights

        fileprivate var name: String {
            switch self {
            case .network: "the network"
            case .files: "files"
            case .processes: "other processes and keys"
            case .rights: "further rights"
            }
        }
    }

    /// What is damaged.
    public enum Part: String, Hashable, Sendable, CaseIterable {
        /// The archive.
        case archive
        /// The XML.
        case xml
        /// What the document is made of is not in the archive.
        case content
    }

    /// One sentence for a person.
    public var description: String {
        switch self {
        case .tooLarge(let limit): "The document is larger than \(limit >> 20) MiB."
        case .unknownKind: "This is no kind of document that can be shown."
        case .damaged(let part): "The document is damaged: its \(part.rawValue) cannot be read."
        case .encrypted: "The document is encrypted."
        case .bomb:
            "The document unpacks to more or takes more work than is allowed, or its archive contradicts itself."
        case .documentType: "The document's XML declares a document type; such documents are refused."
        case .pdf:
            """
            A PDF is shown as pictures of its pages, made by a confined program. That needs Linux and the package \
            poppler-utils.
            """
        case .unprotected(let missing):
            """
            A PDF is shown as pictures of its pages, made by a confined program. \(Self.sentence(missing)) That needs \
            a kernel with seccomp filters, and with Landlock (Linux 5.13) or namespaces that you may make.
            """
        }
    }

    private static func sentence(_ missing: Set<Protection>) -> String {
        guard !missing.isEmpty else { return "This machine could not confine it." }
        let names = Protection.allCases.filter(missing.contains).map(\.name)
        return "This machine does not keep it from: \(names.joined(separator: ", "))."
    }
}
