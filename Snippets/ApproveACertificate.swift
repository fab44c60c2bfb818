// Asks a person about a server whose certificate is not trusted, and goes on with the connection that was refused.
import Pavise

let connection = try Connections().open("work")
let request = HTTPRequest("GET", try connection.url("/api/me"))

do {
    print(try await connection.send(request).status)
} catch {
    guard let origin = connection.refusedServer,
        case .awaitingReview(let review) = await connection.servers.state(of: origin)
    else { throw error }
    print("\(origin) is not trusted:", review.failures)
    print("It shows the key", review.summary.spki)
    print("Compare it with what the server's owner tells you. Type yes to approve it:")
    guard readLine() == "yes" else {
        _ = try await connection.servers.reject(at: origin)
        throw error
    }
    // This certificate, for this connection and server, and for 90 days at most.
    _ = try await connection.servers.approve(review.summary.fingerprint, at: origin)
    print(try await connection.send(request).status)
}
