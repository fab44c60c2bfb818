extension JSONValue {
    /// The text of the value on one line, members in their order.
    package var text: String {
        var out = ""
        write(to: &out, indent: nil, level: 0)
        return out
    }

    /// The text of the value over several lines, for people.
    package var prettyText: String {
        var out = ""
        write(to: &out, indent: "  ", level: 0)
        return out
    }

    private func write(to out: inout String, indent: String?, level: Int) {
        switch self {
        case .null: out += "null"
        case .bool(let value): out += value ? "true" : "false"
        case .number(let text): out += text
        case .string(let text): Self.write(text, to: &out)
        case .array(let elements):
            Self.list("[", "]", elements, to: &out, indent: indent, level: level) { element, out in
                element.write(to: &out, indent: indent, level: level + 1)
            }
        case .object(let members):
            Self.list("{", "}", members, to: &out, indent: indent, level: level) { member, out in
                Self.write(member.name, to: &out)
                out += indent == nil ? ":" : ": "
                member.value.write(to: &out, indent: indent, level: level + 1)
            }
        }
    }

    private static func list<Element>(
        _ open: String, _ close: String, _ elements: [Element], to out: inout String, indent: String?, level: Int,
        _ write: (Element, inout String) -> Void
    ) {
        guard !elements.isEmpty else {
            out += open + close
            return
        }
        out += open
        for (index, element) in elements.enumerated() {
            if index > 0 { out += "," }
            if let indent { out += "\n" + String(repeating: indent, count: level + 1) }
            write(element, &out)
        }
        if let indent { out += "\n" + String(repeating: indent, count: level) }
        out += close
    }

    private static func write(_ text: String, to out: inout String) {
        out += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case "\u{0}"..<" ", "\u{7F}", "\u{2028}", "\u{2029}":
                let code = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - code.count) + code
            default: out.unicodeScalars.append(scalar)
            }
        }
        out += "\""
    }
}
