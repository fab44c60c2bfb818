internal import Pavise
internal import PaviseLab
internal import PaviseSession
internal import PaviseTransport

/// Sends a request by `account` and gives the error that must come; an answer fails the scene.
func failure(of account: Account, at address: String, _ what: String) async throws -> PaviseError {
    let response: HTTPResponse
    let request = HTTPRequest("GET", try url(address))
    do throws(PaviseError) { response = try await account.send(request) } catch { return error }
    throw SceneFailure("\(what): expected a refusal, but the server answered \(response.status)")
}

/// The refusal of a certificate in an error; anything else fails the scene.
func refusal(in error: PaviseError, _ what: String) throws(SceneFailure) -> CertificateRefusal {
    switch error.underlying {
    case SessionFailure.transport(.untrusted(let refusal)), TransportFailure.untrusted(let refusal),
        ConnectRefusal.certificate(let refusal, _):
        return refusal
    default: throw SceneFailure("\(what): expected a refused certificate, saw \(error.underlying)")
    }
}

/// Not one byte above TLS may have reached the server, nor be on its way.
func requireSilence(_ server: LabServer, _ what: String) async throws(SceneFailure) {
    await server.settle()
    await server.waitUntilLeft(within: .seconds(2))
    let bytes = server.counters.applicationBytes
    try require(bytes == 0, "\(what): the server received \(bytes) bytes of a request, expected 0")
}

/// An address of the lab as a value.
func url(_ text: String) throws(TransportFailure) -> WebURL {
    do throws(WebURL.Problem) { return try WebURL(text) } catch { throw .malformed(error.description) }
}
