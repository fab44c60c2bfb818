import Foundation
import Pavise
import PaviseLab
import PavisePrimitives
import PaviseTransport

@testable import PaviseSession

/// A process that refreshes a session which another one stored, and is stopped in the middle of it.
struct StoppedChild: Codable, Sendable {
    /// Where it is stopped.
    enum Place: String, Codable {
        /// It has the lock, its journal is written, and no byte has left. It stops itself.
        case beforeTheRequest
        /// The server has done its work, and the answer is on its way. The test stops it.
        case beforeTheAnswer
    }

    let files: LogoutChild

    /// The folder's connections. A lease is three seconds here.
    func connections(
        _ makeCarrier: @escaping MakeCarrier = HTTPClient.platformCarrier
    ) -> Connections {
        var policy = RefreshPolicy()
        policy.lockLease = .seconds(3)
        return Connections(
            home: PaviseHome(path: files.folder + "/home"), policy: policy,
            makeClient: { [anchor = files.anchor] (trust) throws(TransportFailure) in
                var trust = trust
                trust.anchors = .only([anchor])
                return try HTTPClient(
                    policy: trust, configuration: .strict, time: .system, options: ClientOptions(),
                    carrying: makeCarrier)
            })
    }

    /// Renews the token, and goes on with what is in force then.
    func run(_ place: Place) async throws {
        let pipe = ChildPipe(folder: files.folder)
        let tell: @Sendable () -> Void = {
            try? pipe.tell("ready \(ProcessInfo.processInfo.processIdentifier)")
        }
        try await files.inKeychain {
            let work = try connections { (policy, time, options) throws(TransportFailure) in
                let inner = try HTTPClient.platformCarrier(policy, time, options)
                guard place == .beforeTheRequest else { return inner }
                return StoppingCarrier(inner: inner) {
                    tell()
                    raise(SIGSTOP)
                }
            }.open("work")
            guard let session = work.session else { throw SessionFailure.signedOut }
            if place == .beforeTheAnswer { tell() }
            let old = try await session.accessToken()
            let new = try await session.token(.refused(old.stamp))
            guard new.stamp.generation == old.stamp.generation + 1 else { throw SessionFailure.sessionChanged }
            let answer = try await work.send(HTTPRequest("GET", work.url("/api/files")))
            guard answer.status == 200 else { throw SessionFailure.signedOut }
        }
    }
}

/// Does something before a request for tokens goes to the carrier below: all questions above have been asked.
private struct StoppingCarrier: HTTPCarrier {
    let inner: any HTTPCarrier
    let before: @Sendable () -> Void

    func use(_ policy: TrustPolicy) { inner.use(policy) }

    func exchange(_ order: CarrierOrder) async throws(TransportFailure) -> CarriedResponse {
        if order.request.url.description.hasSuffix("/token") { before() }
        return try await inner.exchange(order)
    }

    func open(_ order: CarrierOrder) async throws(TransportFailure) -> (CarriedResponse, BodyStream) {
        try await inner.open(order)
    }

    func stream(
        _ order: CarrierOrder, head: @Sendable (CarriedResponse) throws -> Bool,
        receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportFailure) -> HTTPResponse {
        try await inner.stream(order, head: head, receive: receive)
    }

    func inspect(_ order: CarrierOrder) async throws(TransportFailure) -> ServerInspection {
        try await inner.inspect(order)
    }
}
