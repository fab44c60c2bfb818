internal import Foundation

/// An item as `security find-…` prints it: a line for the keychain, one for the class, one for each attribute.
struct ItemBlock {
    private enum Form {
        case blob
        case timedate
        case unsigned
        case signed
    }

    private let keychain: String
    private let code: String
    private let item: [String: Any]

    /// - Parameters:
    ///   - keychain: The path of the keychain.
    ///   - code: The code of the item's class.
    init(_ item: [String: Any], code: String, keychain: String) {
        self.item = item
        self.code = code
        self.keychain = keychain
    }

    /// The lines, each with its end.
    var text: String {
        let head = [
            "keychain: \"\(Printable.text(keychain))\"", "version: 512", "class: \"\(code)\"", "attributes:",
            "    0x00000007 <blob>=\(Self.blob(item["labl"]))", "    0x00000008 <blob>=<NULL>",
        ]
        let rows = Self.rows(for: code).map { name, form in
            "    \"\(name)\"<\(Self.name(of: form))>=\(Self.value(item[name], form))"
        }
        return (head + rows).joined(separator: "\n") + "\n"
    }

    /// Bytes as `security` shows them: `"text"`, or hexadecimal digits and then the text with the rest in octal.
    static func quoted(_ bytes: [UInt8]) -> String {
        guard !bytes.allSatisfy(isPlain) else { return "\"\(String(decoding: bytes, as: UTF8.self))\"" }
        let text = bytes.map { byte in
            isPlain(byte) && byte != 0x5C && byte != 0x22 ? String(UnicodeScalar(byte)) : "\\" + octal(byte)
        }
        return "0x\(hexadecimal(bytes))  \"\(text.joined())\""
    }

    /// Upper-case hexadecimal digits.
    static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }.joined()
    }

    /// Whether a byte is a printable character of ASCII.
    static func isPlain(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) }

    private static func rows(for code: String) -> [(String, Form)] {
        let common: [(String, Form)] = [
            ("acct", .blob), ("cdat", .timedate), ("crtr", .unsigned), ("cusi", .signed), ("desc", .blob),
            ("gena", .blob), ("icmt", .blob), ("invi", .signed), ("mdat", .timedate), ("nega", .signed),
            ("prot", .blob), ("scrp", .signed), ("svce", .blob), ("type", .unsigned),
        ]
        switch code {
        case "genp": return common
        case "inet":
            let more: [(String, Form)] = [
                ("atyp", .blob), ("path", .blob), ("port", .unsigned), ("ptcl", .unsigned), ("sdmn", .blob),
                ("srvr", .blob),
            ]
            return (common.filter { !["gena", "svce"].contains($0.0) } + more).sorted { $0.0 < $1.0 }
        case "cert":
            return [
                ("cdat", .timedate), ("cenc", .unsigned), ("ctyp", .unsigned), ("issr", .blob), ("mdat", .timedate),
                ("pkhh", .blob), ("skid", .blob), ("slnr", .blob), ("subj", .blob),
            ]
        default:
            return [
                ("atag", .blob), ("bsiz", .unsigned), ("cdat", .timedate), ("esiz", .unsigned), ("kcls", .unsigned),
                ("klbl", .blob), ("mdat", .timedate), ("type", .unsigned),
            ]
        }
    }

    private static func name(of form: Form) -> String {
        switch form {
        case .blob: "blob"
        case .timedate: "timedate"
        case .unsigned: "uint32"
        case .signed: "sint32"
        }
    }

    private static func value(_ value: Any?, _ form: Form) -> String {
        switch form {
        case .blob: blob(value)
        case .timedate: (value as? Date).map { quoted(stamp($0) + [0]) } ?? "<NULL>"
        case .unsigned, .signed: number(value)
        }
    }

    private static func blob(_ value: Any?) -> String {
        switch value {
        case let text as String: quoted(Array(text.utf8))
        case let data as Data: quoted(Array(data))
        default: number(value)
        }
    }

    // Four characters in a number are shown as such, and so is a protocol, which is kept as a text.
    private static func number(_ value: Any?) -> String {
        if let text = value as? String { return quoted(Array(text.utf8)) }
        guard let number = (value as? NSNumber)?.uint32Value else { return "<NULL>" }
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * UInt32($0))) }
        return bytes.allSatisfy(isPlain) ? quoted(bytes) : "0x\(hexadecimal(bytes)) "
    }

    private static func stamp(_ date: Date) -> [UInt8] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        let small = [parts.month, parts.day, parts.hour, parts.minute, parts.second].map { padded($0 ?? 0, 2) }
        return Array((padded(parts.year ?? 0, 4) + small.joined() + "Z").utf8)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func octal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 8)
        return String(repeating: "0", count: 3 - digits.count) + digits
    }
}
