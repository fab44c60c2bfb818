internal import PaviseCrypto
internal import PavisePrimitives

/// Key agreement and RSA decryption.
enum Agreement {
    static func spki(_ entry: WycheproofCase) -> WycheproofOutcome {
        agree(entry, entry.bytes("private")) { _ in try? ECPublicKey(spki: entry.bytes("public")) }
    }

    static func point(_ entry: WycheproofCase) -> WycheproofOutcome {
        agree(entry, entry.bytes("private")) { try? ECPublicKey(x963: entry.bytes("public"), curve: $0) }
    }

    static func pem(_ entry: WycheproofCase) -> WycheproofOutcome {
        guard let key = entry.test["private"]?.string.flatMap({ PEM.blocks("PRIVATE KEY", in: $0)?.first }),
            let scalar = scalar(pkcs8: key)
        else { return .refused }
        return agree(entry, scalar) { _ in
            let text = entry.test["public"]?.string ?? ""
            return PEM.blocks("PUBLIC KEY", in: text)?.first.flatMap { try? ECPublicKey(spki: $0) }
        }
    }

    static func web(_ entry: WycheproofCase) -> WycheproofOutcome {
        agree(entry, entry.test["private"].flatMap { number("d", $0) } ?? []) { curve in
            guard let key = entry.test["public"], let x963 = point(key, curve) else { return nil }
            return try? ECPublicKey(x963: x963, curve: curve)
        }
    }

    static func x25519JWK(_ entry: WycheproofCase) -> WycheproofOutcome {
        x25519(
            entry, entry.test["private"].flatMap { xNumber("d", $0) },
            entry.test["public"].flatMap { xNumber("x", $0) })
    }

    static func x25519(_ entry: WycheproofCase) -> WycheproofOutcome {
        x25519(entry, entry.bytes("private"), entry.bytes("public"))
    }

    private static func x25519(
        _ entry: WycheproofCase, _ scalar: [UInt8]?, _ raw: [UInt8]?
    ) -> WycheproofOutcome {
        guard entry.group["curve"]?.string ?? "curve25519" == "curve25519" else {
            return .notOffered("Agreement on Montgomery curves is offered on X25519.")
        }
        guard let scalar, let raw,
            let key = try? Curve25519PrivateKey(raw: scalar.span, use: .agreement),
            let peer = try? Curve25519PublicKey(raw: raw, use: .agreement)
        else { return .refused }
        return Symmetric.outcome { try key.sharedSecret(with: peer) }
    }

    static func oaep(_ entry: WycheproofCase) -> WycheproofOutcome {
        if let missing = entry.missingHash { return missing }
        guard let hash = entry.hash, entry.group["mgfSha"]?.string == entry.group["sha"]?.string else {
            return .notOffered("OAEP is offered with one hash for both.")
        }
        guard entry.bytes("label").isEmpty else { return .notOffered("OAEP is offered without a label.") }
        guard let pkcs1 = pkcs1(entry.groupBytes("privateKeyPkcs8")), let key = try? RSAPrivateKey(pkcs1: pkcs1) else {
            return entry.missingRSASize ?? .refused
        }
        let packet = entry.bytes("ct")
        return Symmetric.outcome { try key.decrypt(packet.span, .oaep(hash)) }
    }

    /// The content of PKCS#8 (RFC 5958 §2).
    static func pkcs1(_ pkcs8: [UInt8]) -> [UInt8]? {
        do {
            var outer = DERReader(pkcs8[...])
            var info = try outer.inside()
            _ = try info.next()
            _ = try info.next()
            return Array(try info.next(DERTag.octetString).content)
        } catch {
            return nil
        }
    }

    // RFC 5915 §3: version, then the number.
    private static func scalar(pkcs8: [UInt8]) -> [UInt8]? {
        guard let content = pkcs1(pkcs8) else { return nil }
        do {
            var outer = DERReader(content[...])
            var key = try outer.inside()
            _ = try key.next(DERTag.integer)
            return Array(try key.next(DERTag.octetString).content)
        } catch {
            return nil
        }
    }

    private static func agree(
        _ entry: WycheproofCase, _ scalar: [UInt8], with peer: (Curve) -> ECPublicKey?
    ) -> WycheproofOutcome {
        guard let curve = entry.curve else {
            return .notOffered("Agreement is offered on P-192, P-224, P-256, P-384 and P-521.")
        }
        guard let peer = peer(curve) else { return .refused }
        let digits = scalar.drop { $0 == 0 }
        let padded = [UInt8](repeating: 0, count: max(0, curve.fieldBytes - digits.count)) + digits
        return Symmetric.outcome { try ECPrivateKey(scalar: padded.span, curve: curve).sharedSecret(with: peer) }
    }

    private static func number(_ name: String, _ key: JSONValue) -> [UInt8]? {
        key[name]?.string.flatMap { Base64URL.decode($0) }
    }

    private static func xNumber(_ name: String, _ key: JSONValue) -> [UInt8]? {
        guard key["kty"]?.string == "OKP", key["crv"]?.string == "X25519" else { return nil }
        return number(name, key)
    }

    private static func point(_ key: JSONValue, _ curve: Curve) -> [UInt8]? {
        guard key["kty"]?.string == "EC", Curve(rawValue: key["crv"]?.string ?? "") == curve, let x = number("x", key),
            let y = number("y", key), x.count == curve.fieldBytes, y.count == curve.fieldBytes
        else { return nil }
        return [4] + x + y
    }
}
