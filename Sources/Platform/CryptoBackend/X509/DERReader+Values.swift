internal import PavisePrimitives

extension DERElement {
    /// The whole number of an INTEGER that is not negative and fits.
    package func smallInteger() throws(DERFailure) -> Int {
        let bytes = try integerBytes()
        guard bytes.count <= 7, let first = bytes.first, first < 0x80 else { throw DERFailure() }
        return bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    /// The bytes of an INTEGER in two's complement, in their shortest form.
    package func integerBytes() throws(DERFailure) -> ArraySlice<UInt8> {
        guard tag == DERTag.integer, let first = content.first else { throw DERFailure() }
        if content.count > 1 {
            let second = content[content.startIndex + 1]
            guard !(first == 0 && second < 0x80), !(first == 0xFF && second >= 0x80) else { throw DERFailure() }
        }
        return content
    }

    /// The truth value of a BOOLEAN: 00 or FF.
    package func boolean() throws(DERFailure) -> Bool {
        guard tag == DERTag.boolean, content.count == 1 else { throw DERFailure() }
        switch content[content.startIndex] {
        case 0: return false
        case 0xFF: return true
        default: throw DERFailure()
        }
    }

    /// An OBJECT IDENTIFIER in dotted form.
    package func objectIdentifier() throws(DERFailure) -> String {
        if let known = extensionName { return known }
        var text: [UInt8] = []
        text.reserveCapacity(3 * content.count)
        try forEachArc { arc in
            guard !text.isEmpty else {
                let first: UInt128 = arc < 40 ? 0 : arc < 80 ? 1 : 2
                text.append(UInt8(0x30 + first))
                return Self.append(arc - 40 * first, to: &text)
            }
            Self.append(arc, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    // Most identifiers of a certificate name an extension of RFC 5280, whose arc is 2.5.29.
    private var extensionName: String? {
        let value = content
        guard tag == DERTag.objectIdentifier, value.count == 3, value[value.startIndex] == 0x55,
            value[value.startIndex + 1] == 0x1D, value[value.startIndex + 2] < 0x80
        else { return nil }
        return Self.extensionNames[Int(value[value.startIndex + 2])]
    }

    private static let extensionNames = (0..<0x80).map { "2.5.29.\($0)" }

    /// Throws unless it is an OBJECT IDENTIFIER.
    package func checkObjectIdentifier() throws(DERFailure) { try forEachArc { _ in } }

    // The number of a UUID has 128 bits (X.667).
    private func forEachArc(_ body: (UInt128) -> Void) throws(DERFailure) {
        guard tag == DERTag.objectIdentifier, !content.isEmpty, content.count <= 64 else { throw DERFailure() }
        var arc: UInt128 = 0
        var isFresh = true
        for byte in content {
            guard !(isFresh && byte == 0x80), arc < UInt128(1) << 121 else { throw DERFailure() }
            arc = arc << 7 | UInt128(byte & 0x7F)
            isFresh = byte < 0x80
            if isFresh {
                body(arc)
                arc = 0
            }
        }
        guard isFresh else { throw DERFailure() }
    }

    private static func append(_ arc: UInt128, to text: inout [UInt8]) {
        text.append(0x2E)
        if arc < 10 { return text.append(UInt8(0x30 + arc)) }
        text += String(arc).utf8
    }

    /// The bytes of a BIT STRING of whole octets.
    package func octetsOfBitString() throws(DERFailure) -> ArraySlice<UInt8> {
        guard content.first == 0 else { throw DERFailure() }
        return content.dropFirst()
    }

    /// The bits of a BIT STRING in order; at most 64, unused bits zero.
    package func bits() throws(DERFailure) -> [Bool] {
        guard let unused = content.first, unused < 8, content.count <= 9, content.count > 1 || unused == 0 else {
            throw DERFailure()
        }
        var bits: [Bool] = []
        bits.reserveCapacity(8 * content.count)
        for byte in content.dropFirst() {
            for place in 0..<8 { bits.append(byte & (0x80 >> place) != 0) }
        }
        guard !bits.suffix(Int(unused)).contains(true) else { throw DERFailure() }
        bits.removeLast(Int(unused))
        return bits
    }

    /// The text of a string type, or of an implicit tag that stands for an ASCII string.
    package func text() -> String? {
        switch tag {
        case DERTag.bmpString:
            guard content.count % 2 == 0 else { return nil }
            let units = stride(from: content.startIndex, to: content.endIndex, by: 2).map {
                UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
            }
            return String(validating: units, as: UTF16.self)
        case DERTag.teletexString:
            // Latin-1 is what issuers put there.
            return String(String.UnicodeScalarView(content.map { Unicode.Scalar($0) }))
        default:
            return String(validating: content, as: UTF8.self)
        }
    }

    /// Seconds since 1970 of a UTCTime or GeneralizedTime in the forms that RFC 5280 §4.1.2.5 allows.
    package func time() throws(DERFailure) -> Int64 {
        let yearDigits = tag == DERTag.utcTime ? 2 : 4
        let text = content
        guard tag == DERTag.utcTime || tag == DERTag.generalizedTime,
            text.count == yearDigits + 11, text.last == UInt8(ascii: "Z")
        else { throw DERFailure() }
        var rest = text.dropLast()
        var year = 0
        for _ in 0..<yearDigits / 2 { year = try 100 * year + Self.pair(&rest) }
        if yearDigits == 2 { year += year < 50 ? 2000 : 1900 }
        var parts = [year]
        parts.reserveCapacity(6)
        while !rest.isEmpty { parts.append(try Self.pair(&rest)) }
        return try CertificateTime.seconds(parts)
    }

    // Two digits.
    private static func pair(_ text: inout ArraySlice<UInt8>) throws(DERFailure) -> Int {
        guard let tens = text.popFirst(), let ones = text.popFirst(), (0x30...0x39).contains(tens),
            (0x30...0x39).contains(ones)
        else { throw DERFailure() }
        return Int(tens - 0x30) * 10 + Int(ones - 0x30)
    }
}

/// The times of certificates (RFC 5280 §4.1.2.5): UTC, without leap seconds.
package enum CertificateTime {
    /// Seconds since 1970 of year, month, day, hour, minute and second.
    package static func seconds(_ parts: [Int]) throws(DERFailure) -> Int64 {
        guard parts.count == 6, (0...9999).contains(parts[0]), (1...12).contains(parts[1]),
            (1...CivilDate.days(inMonth: parts[1], of: parts[0])).contains(parts[2]),
            (0...23).contains(parts[3]), (0...59).contains(parts[4]), (0...59).contains(parts[5])
        else { throw DERFailure() }
        let days = CivilDate(year: parts[0], month: parts[1], day: parts[2]).daysSince1970
        return Int64(days * 86_400 + (parts[3] * 60 + parts[4]) * 60 + parts[5])
    }
}
