internal import PaviseCrypto
internal import PavisePrimitives

/// Signatures: checked, and made where the scheme is deterministic.
enum Signatures {
    static func ecdsa(_ entry: WycheproofCase) -> WycheproofOutcome {
        ecdsa(entry) { signature, _ in signature }
    }

    static func ecdsaFixed(_ entry: WycheproofCase) -> WycheproofOutcome {
        ecdsa(entry) { ECDSASignature.der(raw: $0, curve: $1) }
    }

    static func ed25519(_ entry: WycheproofCase) -> WycheproofOutcome {
        guard entry.group["publicKey"]?["curve"]?.string ?? "edwards25519" == "edwards25519" else {
            return .notOffered("EdDSA is offered on Ed25519.")
        }
        let raw = entry.group["publicKey"]?["pk"]?.string.flatMap { Hex.decode($0) } ?? []
        guard let key = try? Curve25519PublicKey(raw: raw, use: .signing) else { return .refused }
        return verdict(key.verify(signature: entry.bytes("sig"), message: entry.bytes("msg")))
    }

    static func rsa(_ entry: WycheproofCase) -> WycheproofOutcome { rsa(entry) { .pkcs1($0) } }

    static func pss(_ entry: WycheproofCase) -> WycheproofOutcome {
        let isOneHash = entry.group["mgfSha"]?.string == entry.group["sha"]?.string
        if let missing = entry.missingHash { return missing }
        guard isOneHash, entry.group["sLen"]?.integer == entry.hash.map({ Int64($0.byteCount) }) else {
            return .notOffered("PSS is offered with one hash for both and a salt as long as the digest.")
        }
        return rsa(entry) { .pss($0) }
    }

    static func rsaMaking(_ entry: WycheproofCase) -> WycheproofOutcome {
        if let missing = entry.missingHash ?? entry.missingRSASize { return missing }
        guard let hash = entry.hash, let pkcs1 = Agreement.pkcs1(entry.groupBytes("privateKeyPkcs8")),
            let key = try? RSAPrivateKey(pkcs1: pkcs1),
            let made = try? key.sign(digest: Hash.digest(hash, entry.bytes("msg")), padding: .pkcs1(hash))
        else { return .refused }
        return .gave(made)
    }

    private static func ecdsa(
        _ entry: WycheproofCase, _ form: ([UInt8], Curve) -> [UInt8]?
    ) -> WycheproofOutcome {
        guard entry.curve != nil else {
            return .notOffered("ECDSA is offered on P-192, P-224, P-256, P-384 and P-521.")
        }
        if let missing = entry.missingHash { return missing }
        guard let key = try? ECPublicKey(spki: entry.groupBytes("publicKeyDer")), let hash = entry.hash,
            let signature = form(entry.bytes("sig"), key.curve)
        else { return .refused }
        return verdict(key.verify(signature: signature, digest: Hash.digest(hash, entry.bytes("msg"))))
    }

    private static func rsa(
        _ entry: WycheproofCase, _ padding: (HashFunction) -> RSASignaturePadding
    ) -> WycheproofOutcome {
        if let missing = entry.missingHash { return missing }
        guard let hash = entry.hash, let key = try? RSAPublicKey(pkcs1: entry.groupBytes("publicKeyAsn")) else {
            return entry.missingRSASize ?? .refused
        }
        let digest = Hash.digest(hash, entry.bytes("msg"))
        return verdict(key.verify(signature: entry.bytes("sig"), digest: digest, padding: padding(hash)))
    }

    private static func verdict(_ isRight: Bool) -> WycheproofOutcome { isRight ? .gave([]) : .refused }
}
