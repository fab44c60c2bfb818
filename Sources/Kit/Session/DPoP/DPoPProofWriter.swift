package import PavisePrimitives
package import PaviseTransport
package import PaviseVault
internal import SecurityFramework

/// Writes DPoP proofs with one key (RFC 9449 §4.2).
package struct DPoPProofWriter: Sendable {
    /// The key's thumbprint (RFC 7638), as `dpop_jkt` and `cnf` name it.
    package let thumbprint: String
    private let signer: any DPoPSigner
    private let header: String
    private let entropy: Entropy

    /// Reads the key's public half once.
    ///
    /// - Throws: What the key throws; `VaultFailure.corrupt` for a point that is none.
    package init(_ signer: any DPoPSigner, entropy: Entropy = .kernel) throws(VaultFailure) {
        let point = try signer.publicPoint()
        guard point.count == 65, point.first == 4 else { throw .corrupt(.content) }
        let jwk = JSONValue.fields([
            "crv": "P-256", "kty": "EC", "x": .string(Base64URL.encode(point[1..<33])),
            "y": .string(Base64URL.encode(point[33...])),
        ])
        self.signer = signer
        self.entropy = entropy
        thumbprint = Base64URL.encode(MessageDigest.sha256(Array(jwk.text.utf8)))
        header = JSONValue.fields(["typ": "dpop+jwt", "alg": "ES256", "jwk": jwk]).text
    }

    /// Looks whether the key is still the one that this was made with.
    ///
    /// - Throws: `VaultFailure.keyLost` when it is gone or another one, and what the key throws.
    package func check() throws(VaultFailure) {
        guard try DPoPProofWriter(signer).thumbprint == thumbprint else { throw .keyLost }
    }

    /// What a proof is for.
    package struct Use: Sendable {
        /// The request's method.
        package var method: String
        /// The request's address; query and fragment are left out.
        package var url: WebURL
        /// Seconds since 1970.
        package var seconds: Int64
        /// What the server wants to find again.
        package var nonce: String?
        /// The digest of the access token that goes along.
        package var tokenDigest: [UInt8]?
    }

    /// Why there is no proof.
    package enum Failure: Error, Hashable, Sendable {
        case key(VaultFailure)
        case entropy(EntropyFailure)
    }

    /// A fresh proof.
    package func proof(for use: Use) throws(Failure) -> String {
        let claims = JSONValue.fields([
            "jti": .string(try name()), "htm": .string(use.method),
            "htu": .string("\(use.url.origin)\(use.url.path)"), "iat": .integer(use.seconds),
            "ath": use.tokenDigest.map { .string(Base64URL.encode($0)) }, "nonce": use.nonce.map { .string($0) },
        ])
        let input = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.text.utf8))
        do throws(VaultFailure) {
            return input + "." + Base64URL.encode(try signer.sign(Array(input.utf8)))
        } catch {
            throw .key(error)
        }
    }

    // 128 random bits, never used twice.
    private func name() throws(Failure) -> String {
        do throws(EntropyFailure) { return Base64URL.encode(try entropy.bytes(16)) } catch { throw .entropy(error) }
    }
}
