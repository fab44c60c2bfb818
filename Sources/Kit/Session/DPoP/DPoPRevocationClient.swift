internal import PavisePrimitives
internal import PaviseTransport
internal import Synchronization

/// Takes bound tokens back at one address after their key is gone, with proofs that were made while it was there.
///
/// A sign-out destroys the key before it asks the server for anything. A bound access token is never shown without a
/// proof, and nothing is sent to any other address. There is no second try for a nonce: the tokens are worth nothing by
/// then.
final class DPoPRevocationClient: HTTPClient {
    /// One for each token, and one for each with an access token beside it.
    private static let count = 2

    private let client: any HTTPClient
    private let address: WebURL
    private let bare: Mutex<[String]>
    private let shown: Mutex<[String]>

    /// Makes the proofs; none where the key is gone already.
    init(_ proving: DPoPClient, at address: WebURL, showing token: SharedSecretBytes?) {
        let digest = token?.digest
        let make = { (digest: [UInt8]?) in
            (0..<Self.count).compactMap { _ in (try? proving.proof(for: "POST", address, digest: digest))?.proof }
        }
        client = proving.client
        self.address = address
        bare = Mutex(make(nil))
        shown = Mutex(digest.map(make) ?? [])
    }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        guard request.url == address else { throw Self.refusal }
        var proved = request
        if let proof = bare.withLock({ $0.popLast() }) { proved.fields.append("DPoP", proof) }
        return try await client.send(proved)
    }

    func send(
        _ request: HTTPRequest, with authorization: borrowing Authorization
    ) async throws(TransportFailure) -> HTTPResponse {
        let credential = ShownCredential(authorization)
        let proof = credential.isToken ? shown.withLock { $0.popLast() } : bare.withLock { $0.popLast() }
        guard request.url == address, let proof else { throw Self.refusal }
        var proved = request
        proved.fields.append("DPoP", proof)
        return try await client.send(proved, with: credential.authorization)
    }

    func stream(
        _ request: HTTPRequest, with authorization: borrowing Authorization,
        head: @Sendable (HTTPResponse) throws -> Bool, receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportFailure) -> HTTPResponse { throw Self.refusal }

    private static let refusal = TransportFailure.unusableRequest(
        "the key that the tokens are bound to is gone; they are only taken back")
}
