internal import PaviseLab
internal import PaviseTransport

/// Sends `request` and gives the refusal that must come; anything else fails the scene.
func refusal(
    of client: CurlTransport, _ address: String, _ what: String
) async throws -> CertificateRefusal {
    do throws(TransportFailure) {
        let response = try await client.send(HTTPRequest("GET", try url(address)))
        throw .malformed("answered \(response.status)")
    } catch {
        guard case .untrusted(let refusal) = error else {
            throw SceneFailure("\(what): expected a refused certificate, saw \(error)")
        }
        return refusal
    }
}

/// Sends `request` and gives the failure that must come; an answer fails the scene.
func failure(of client: CurlTransport, _ address: String, _ what: String) async throws -> TransportFailure {
    let response: HTTPResponse
    do throws(TransportFailure) {
        response = try await client.send(HTTPRequest("GET", try url(address)))
    } catch {
        return error
    }
    throw SceneFailure("\(what): expected a refusal, but the server answered \(response.status)")
}

/// Not one byte above TLS may have reached the server.
func requireSilence(_ server: LabServer, _ what: String) throws(SceneFailure) {
    let bytes = server.counters.applicationBytes
    try require(bytes == 0, "\(what): the server received \(bytes) bytes of a request, expected 0")
}

/// An address of the lab as a value.
func url(_ text: String) throws(TransportFailure) -> WebURL {
    do throws(WebURL.Problem) { return try WebURL(text) } catch { throw .malformed(error.description) }
}
