/// Reads XML property lists: the elements of Apple's document type and nothing more of XML.
///
/// Entities cannot be declared, so text cannot multiply. Every value knows its line.
struct XMLPropertyList {
    private var scanner: XMLScanner
    private let limits: PropertyListLimits
    private var visited = 0

    static func parse(_ bytes: [UInt8], limits: PropertyListLimits) throws(PropertyListFailure) -> PropertyListValue {
        var list = XMLPropertyList(scanner: XMLScanner(bytes), limits: limits)
        return try list.document()
    }

    private init(scanner: XMLScanner, limits: PropertyListLimits) {
        self.scanner = scanner
        self.limits = limits
    }

    private mutating func document() throws(PropertyListFailure) -> PropertyListValue {
        try scanner.skipMisc()
        guard scanner.isAtTag else { throw .unknownFormat }
        let first = try scanner.openTag()
        guard first.name == "plist" else {
            guard Self.names.contains(first.name) else { throw .unknownFormat }
            let value = try value(first, depth: 0)
            try expectEnd()
            return value
        }
        guard !first.isEmpty else { throw scanner.malformed("the list is empty") }
        try scanner.skipMisc()
        let value = try value(scanner.openTag(), depth: 0)
        try scanner.skipMisc()
        try scanner.closeTag("plist")
        try expectEnd()
        return value
    }

    private mutating func expectEnd() throws(PropertyListFailure) {
        try scanner.skipMisc()
        guard scanner.isAtEnd else { throw scanner.malformed("something follows the end of the list") }
    }

    private static let names: Set<String> = [
        "dict", "array", "string", "integer", "real", "true", "false", "date", "data",
    ]

    private mutating func value(_ tag: XMLScanner.Tag, depth: Int) throws(PropertyListFailure) -> PropertyListValue {
        guard depth < limits.depth else { throw .tooDeep(limit: limits.depth) }
        visited += 1
        guard visited <= limits.values else { throw .tooMany(limit: limits.values) }
        return PropertyListValue(try kind(tag, depth: depth), line: tag.line)
    }

    private mutating func kind(_ tag: XMLScanner.Tag, depth: Int) throws(PropertyListFailure) -> PropertyListValue.Kind
    {
        switch tag.name {
        case "dict": return .dictionary(tag.isEmpty ? [] : try members(depth: depth))
        case "array": return .array(tag.isEmpty ? [] : try elements(depth: depth))
        case "string": return .string(try content(tag))
        case "date": return .date(Self.trimmed(try content(tag)))
        case "integer": return try integer(tag)
        case "real": return try real(tag)
        case "data": return try data(tag)
        case "true", "false":
            guard Self.trimmed(try content(tag)).isEmpty else { throw scanner.malformed("<\(tag.name)> holds text") }
            return .bool(tag.name == "true")
        default: throw .malformed("<\(tag.name.prefix(32))> is no element of a property list", line: tag.line)
        }
    }

    private mutating func members(depth: Int) throws(PropertyListFailure) -> [PropertyListValue.Member] {
        var members: [PropertyListValue.Member] = []
        while true {
            try scanner.skipMisc()
            if scanner.isAtClose {
                try scanner.closeTag("dict")
                return members
            }
            let tag = try scanner.openTag()
            guard tag.name == "key" else { throw .malformed("a <key> is missing before a value", line: tag.line) }
            let name = try content(tag)
            try scanner.skipMisc()
            guard !scanner.isAtClose else { throw scanner.malformed("the value of a key is missing") }
            members.append(
                PropertyListValue.Member(name, line: tag.line, try value(scanner.openTag(), depth: depth + 1)))
        }
    }

    private mutating func elements(depth: Int) throws(PropertyListFailure) -> [PropertyListValue] {
        var elements: [PropertyListValue] = []
        while true {
            try scanner.skipMisc()
            if scanner.isAtClose {
                try scanner.closeTag("array")
                return elements
            }
            elements.append(try value(scanner.openTag(), depth: depth + 1))
        }
    }

    private mutating func content(_ tag: XMLScanner.Tag) throws(PropertyListFailure) -> String {
        guard !tag.isEmpty else { return "" }
        let text = try scanner.text()
        try scanner.closeTag(tag.name)
        return text
    }

    private mutating func integer(_ tag: XMLScanner.Tag) throws(PropertyListFailure) -> PropertyListValue.Kind {
        let text = Self.trimmed(try content(tag))
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
        let isHex = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        let plain = isHex ? digits.dropFirst(2) : digits
        guard let first = plain.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-") else {
            throw .malformed("<integer> holds no number", line: tag.line)
        }
        if let value = Int64((isNegative ? "-" : "") + plain, radix: isHex ? 16 : 10) { return .integer(value) }
        guard let value = UInt64(plain, radix: isHex ? 16 : 10) else {
            throw .malformed("<integer> holds no number", line: tag.line)
        }
        return .real(isNegative ? -Double(value) : Double(value))
    }

    private mutating func real(_ tag: XMLScanner.Tag) throws(PropertyListFailure) -> PropertyListValue.Kind {
        guard let value = Double(Self.trimmed(try content(tag))) else {
            throw .malformed("<real> holds no number", line: tag.line)
        }
        return .real(value)
    }

    private mutating func data(_ tag: XMLScanner.Tag) throws(PropertyListFailure) -> PropertyListValue.Kind {
        let text = String(decoding: try content(tag).utf8.filter { !XMLScanner.isBlank($0) }, as: UTF8.self)
        guard let bytes = Base64.decode(text) else { throw .malformed("<data> holds no base64", line: tag.line) }
        return .data(bytes)
    }

    private static func trimmed(_ text: String) -> String {
        let bytes = text.utf8
        guard let first = bytes.firstIndex(where: { !XMLScanner.isBlank($0) }),
            let last = bytes.lastIndex(where: { !XMLScanner.isBlank($0) })
        else { return "" }
        return String(text[first...last])
    }
}
