internal import PaviseCrypto
internal import PavisePrimitives

/// Ciphers, key derivation and authentication codes.
enum Symmetric {
    static func gcm(_ entry: WycheproofCase) -> WycheproofOutcome {
        let key = entry.bytes("key")
        let nonce = entry.bytes("iv")
        guard [16, 32].contains(key.count), [12, 16].contains(nonce.count) else {
            return .notOffered("AES-GCM takes keys of 16 or 32 bytes and nonces of 12 or 16.")
        }
        guard entry.group["tagSize"]?.integer ?? 128 == 128 else {
            return .notOffered("Tags of AES-GCM have 16 bytes.")
        }
        let sealed = entry.bytes("ct") + entry.bytes("tag")
        return outcome {
            try AESGCM(key: key.span).open(sealed.span, nonce: nonce, associatedData: entry.bytes("aad"))
        }
    }

    static func keyWrap(_ entry: WycheproofCase) -> WycheproofOutcome {
        let key = entry.bytes("key")
        guard key.count != 24 else { return .notOffered("Wrapping keys have 16 or 32 bytes.") }
        return outcome { try AESKeyWrap.unwrap(entry.bytes("ct"), with: key.span) }
    }

    static func hkdf(_ entry: WycheproofCase) -> WycheproofOutcome {
        let secret = entry.bytes("ikm")
        let size = Int(entry.test["size"]?.integer ?? 0)
        return outcome {
            try KDF.hkdf(secret.span, salt: entry.bytes("salt"), info: entry.bytes("info"), count: size)
        }
    }

    static func hmac(_ entry: WycheproofCase) -> WycheproofOutcome {
        let key = entry.bytes("key")
        let tag = HMAC.sha256(key: key.span, entry.bytes("msg"))
        let wanted = entry.bytes("tag")
        return Array(tag.prefix(wanted.count)) == wanted ? .gave([]) : .refused
    }

    /// What a call gives, or that it refuses.
    static func outcome(_ body: () throws -> SecretBytes) -> WycheproofOutcome {
        do {
            let secret = try body()
            return .gave(secret.withBytes { bytes in Array(bytes) })
        } catch {
            return .refused
        }
    }
}
