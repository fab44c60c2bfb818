/// Reads a body by the grammar that a page may have, written down a second time and independently: what is no part of
/// it is told.
struct PageGrammar {
    private static let elements: Set<String> = [
        "p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "dl", "dt", "dd", "table", "caption", "thead",
        "tbody", "tr", "td", "th", "blockquote", "pre", "code", "strong", "em", "u", "s", "sub", "sup", "span",
    ]
    private static let classes: Set<String> = ["link", "omitted", "quoted", "sheet", "slide", "head"]
    private static let types: Set<String> = ["png", "jpeg", "gif", "webp"]

    private let bytes: [UInt8]
    private var at = 0
    private(set) var depth = 0
    private(set) var deepest = 0
    private(set) var pictures = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Where the body is no page; `nil` for one that is.
    mutating func problem() -> String? {
        while at < bytes.count {
            let ok = bytes[at] == 0x3C ? tag() : character()
            guard ok else { return String(decoding: bytes[max(0, at - 30)..<min(bytes.count, at + 60)], as: UTF8.self) }
        }
        return depth == 0 ? nil : "\(depth) elements are open at the end"
    }

    private mutating func character() -> Bool {
        switch bytes[at] {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x20, 0x2E, 0x2C, 0x3A, 0x3B, 0x2D:
            at += 1
            return true
        case 0x26: return reference()
        default: return false
        }
    }

    private mutating func reference() -> Bool {
        guard take("&#") else { return false }
        let digits = run { (0x30...0x39).contains($0) }
        guard let value = UInt32(digits), value < 0x110000, value >= 0x20 || value == 10 else { return false }
        return take(";")
    }

    private mutating func tag() -> Bool {
        if take("<br>") || take("<hr>") { return true }
        if take("<img alt=\"") { return picture() }
        if take("</") {
            depth -= 1
            return Self.elements.contains(run { $0 != 0x3E }) && take(">")
        }
        guard take("<"), Self.elements.contains(run { $0 != 0x3E && $0 != 0x20 }) else { return false }
        if take(" class=\"") {
            guard Self.classes.contains(run { $0 != 0x22 }), take("\"") else { return false }
        }
        for name in [" colspan=\"", " rowspan=\""] where take(name) {
            guard let value = Int(run { (0x30...0x39).contains($0) }), (2...1000).contains(value), take("\"") else {
                return false
            }
        }
        depth += 1
        deepest = max(deepest, depth)
        return take(">")
    }

    private mutating func picture() -> Bool {
        while at < bytes.count, bytes[at] != 0x22 { guard character() else { return false } }
        guard take("\" src=\"data:image/"), Self.types.contains(run { $0 != 0x3B }), take(";base64,") else {
            return false
        }
        let text = run {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2B || $0 == 0x2F || $0 == 0x3D
        }
        pictures += 1
        return !text.isEmpty && take("\">")
    }

    private mutating func run(while belongs: (UInt8) -> Bool) -> String {
        let start = at
        while at < bytes.count, belongs(bytes[at]) { at += 1 }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[at...].starts(with: text.utf8) else { return false }
        at += text.utf8.count
        return true
    }
}
