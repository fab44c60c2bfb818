import PaviseCrypto

/// Writes the structures that tests need and Pavise never makes.
enum DERWriting {
    static func sequence(_ parts: [UInt8]...) -> [UInt8] { DEREncoding.element(DERTag.sequence, Array(parts.joined())) }

    static func tagged(_ number: UInt8, _ content: [UInt8], constructed: Bool = true) -> [UInt8] {
        DEREncoding.element(DERTag.context(number, constructed: constructed), content)
    }

    static func octets(_ bytes: [UInt8]) -> [UInt8] { DEREncoding.element(DERTag.octetString, bytes) }

    static func integer(_ bytes: [UInt8]) -> [UInt8] { DEREncoding.element(DERTag.integer, bytes) }

    static func enumerated(_ value: UInt8) -> [UInt8] { DEREncoding.element(DERTag.enumerated, [value]) }

    static func identifier(_ text: String) -> [UInt8] {
        let arcs = text.split(separator: ".").compactMap { UInt64($0) }
        var bytes = [UInt8(arcs[0] * 40 + arcs[1])]
        for arc in arcs.dropFirst(2) {
            let digits = stride(from: 63, through: 0, by: -7).map { UInt8(arc >> UInt64($0) & 0x7F) }.drop { $0 == 0 }
            let septets = digits.isEmpty ? [0] : Array(digits)
            bytes += septets.dropLast().map { $0 | 0x80 } + septets.suffix(1)
        }
        return DEREncoding.element(DERTag.objectIdentifier, bytes)
    }

    /// A GeneralizedTime.
    static func time(_ seconds: Int64) -> [UInt8] {
        let date = CivilDate(seconds)
        return DEREncoding.element(DERTag.generalizedTime, Array("\(date.digits)Z".utf8))
    }

    /// An extension; `critical` writes the flag out.
    static func field(_ name: String, critical: Bool = false, _ value: [UInt8]) -> [UInt8] {
        sequence(identifier(name), critical ? [1, 1, 0xFF] : [], octets(value))
    }

    /// The three parts of a signed structure: what is signed, ECDSA or RSA with SHA-256, the signature.
    static func signed(_ body: [UInt8], by key: IssuingKey) throws -> [UInt8] {
        // RFC 8017 appendix A.2.4: sha256WithRSAEncryption, with NULL.
        let rsa = sequence(identifier("1.2.840.113549.1.1.11"), [5, 0])
        let algorithm = if case .rsa = key.kind { rsa } else { ecdsa }
        return try body + algorithm + DEREncoding.element(DERTag.bitString, [0] + key.sign(body))
    }

    /// The certificate with these relative names as its subject, signed anew.
    static func certificate(_ der: [UInt8], subject: [[UInt8]], signedBy key: IssuingKey) throws -> [UInt8] {
        var outer = DERReader(der[...])
        var certificate = try outer.inside()
        var body = DERReader(try certificate.next().content)
        var fields: [[UInt8]] = []
        while !body.isAtEnd { fields.append(Array(try body.next().whole)) }
        // RFC 5280 §4.1: version, serial number, algorithm, issuer, validity, subject.
        fields[5] = sequence(Array(subject.joined()))
        return sequence(try signed(sequence(Array(fields.joined())), by: key))
    }

    static let ecdsa = sequence(identifier("1.2.840.10045.4.3.2"))
}

/// Year to second of a time, written as fourteen digits.
private struct CivilDate {
    let digits: String

    init(_ seconds: Int64) {
        var (year, rest) = (1970, seconds / 86_400)
        func length(_ year: Int) -> Int64 {
            year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 366 : 365
        }
        while rest >= length(year) {
            rest -= length(year)
            year += 1
        }
        let months: [Int64] = [31, length(year) - 337, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var month = 0
        while rest >= months[month] {
            rest -= months[month]
            month += 1
        }
        let time = seconds % 86_400
        let parts = [Int64(month) + 1, rest + 1, time / 3_600, time / 60 % 60, time % 60]
        digits = "\(year)" + parts.map { ($0 < 10 ? "0" : "") + "\($0)" }.joined()
    }
}
