internal import PavisePrimitives
internal import PaviseTransport
internal import Synchronization

/// Proofs with which bound tokens are taken back at one address after their key is gone: made while it was there.
///
/// A sign-out destroys the key before it asks the server for anything. A bound access token is never shown without a
/// proof, and nothing is sent to any other address. There is no second try for a nonce: the tokens are worth nothing by
/// then.
final class RevocationProofs: Sendable {
    /// One for each token, and one for each with an access token beside it.
    private static let count = 2

    private let address: WebURL
    private let bare: Mutex<[String]>
    private let shown: Mutex<[String]>

    /// Makes the proofs; none where the key is gone already.
    init(_ binding: DPoPBinding, at address: WebURL, showing token: SharedSecretBytes?) {
        let digest = token?.digest
        let make = { (digest: [UInt8]?) in
            (0..<Self.count).compactMap { _ in (try? binding.proof(for: "POST", address, digest: digest))?.proof }
        }
        self.address = address
        bare = Mutex(make(nil))
        shown = Mutex(digest.map(make) ?? [])
    }

    /// `request` with the next proof.
    ///
    /// - Throws: ``TransportFailure/unusableRequest(_:)`` for another address, and for a credential that has no proof.
    func prove(_ request: HTTPRequest, _ credential: ShownCredential?) throws(TransportFailure) -> HTTPRequest {
        guard request.url == address else { throw Self.refusal }
        let proof = credential?.isToken == true ? shown.withLock { $0.popLast() } : bare.withLock { $0.popLast() }
        guard proof != nil || credential == nil else { throw Self.refusal }
        var proved = request
        if let proof { proved.fields.append("DPoP", proof) }
        return proved
    }

    private static let refusal = TransportFailure.unusableRequest(
        "the key that the tokens are bound to is gone; they are only taken back")
}
