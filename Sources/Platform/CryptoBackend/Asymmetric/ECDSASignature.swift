/// The two forms of an ECDSA signature: DER (X9.62) and r ‖ s (RFC 4754, IEEE P1363).
package enum ECDSASignature {
    /// r ‖ s, each as wide as the field, from DER. `nil` for bytes that are no signature of this curve.
    package static func raw(der: [UInt8], curve: Curve) -> [UInt8]? {
        do {
            var reader = DERReader(der[...])
            var pair = try reader.inside()
            let numbers = [try pair.next().integerBytes(), try pair.next().integerBytes()]
            try pair.finish()
            try reader.finish()
            return try numbers.flatMap { try padded($0, to: curve.fieldBytes) }
        } catch {
            return nil
        }
    }

    /// DER from r ‖ s. `nil` unless the length is twice the field's.
    package static func der(raw: [UInt8], curve: Curve) -> [UInt8]? {
        guard raw.count == 2 * curve.fieldBytes else { return nil }
        let body = integer(raw.prefix(curve.fieldBytes)) + integer(raw.suffix(curve.fieldBytes))
        return [DERTag.sequence] + (body.count < 0x80 ? [] : [0x81]) + [UInt8(body.count)] + body
    }

    private static func padded(_ number: ArraySlice<UInt8>, to width: Int) throws(DERFailure) -> [UInt8] {
        guard let first = number.first, first < 0x80 else { throw DERFailure() }
        let digits = number.drop { $0 == 0 }
        guard digits.count <= width else { throw DERFailure() }
        return [UInt8](repeating: 0, count: width - digits.count) + digits
    }

    private static func integer(_ number: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(number.drop { $0 == 0 })
        if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
        return [DERTag.integer, UInt8(digits.count)] + digits
    }
}
