import Foundation
import PaviseLab
import PavisePrimitives
import PaviseTransport
import TestSupport
import Testing

/// Lets each judgement stand. Its connections are nobody else's.
private final class UndecidedInquirer: ServerInquirer {
    let pool = InquiryPool()

    func ask(_ question: ServerQuestion, answer: @escaping @Sendable (TrustDisposition) -> Void) {
        Task { answer(.asJudged) }
    }
}

@Suite struct `The pools of connections of one client` {
    @Test func `are sixteen: the seventeenth takes the place of the one unused for the longest time`() async throws {
        let lab = try TestLab()
        let url = try lab.url()
        let inquirers = (0..<17).map { _ in UndecidedInquirer() }
        // How many connections the server has seen when the pool of this number has carried a request.
        func connections(after number: Int) async throws -> Int {
            let answer = try await lab.client.asking(inquirers[number]).send(HTTPRequest("GET", url))
            #expect(answer.status == 200)
            return lab.server.counters.connections
        }
        for number in 0..<16 { #expect(try await connections(after: number) == number + 1) }
        // All keep their connection. Number 15 is now the one that was not used for the longest time.
        for number in (0..<16).reversed() { #expect(try await connections(after: number) == 16) }
        #expect(try await connections(after: 16) == 17)
        for number in 0..<15 { #expect(try await connections(after: number) == 17) }
        #expect(try await connections(after: 15) == 18)
        // It took the place of the seventeenth, which all others were used after.
        for number in 0..<16 { #expect(try await connections(after: number) == 18) }
        #expect(try await connections(after: 16) == 19)
    }

    @Test func `end what runs in one before it goes`() async throws {
        let isFree = Monitor(false)
        let lab = try TestLab(handler: { request in
            if request.path == "/slow" { _ = isFree.wait(within: 30_000) { $0 } }
            return .text("hello")
        })
        let (slow, url) = (try lab.url("/slow"), try lab.url())
        let client = lab.client.asking(UndecidedInquirer())
        async let late = client.send(HTTPRequest("GET", slow))
        #expect(await lab.server.wait { $0.requests == 1 })
        for number in 1...17 {
            let answer = try await lab.client.asking(UndecidedInquirer()).send(HTTPRequest("GET", url))
            #expect(answer.status == 200)
            #expect(lab.server.counters.connections == number + 1)
        }
        isFree.change { $0 = true }
        let answer = try await late
        #expect(answer.status == 200)
    }
}

@Suite struct `The engine under all clients` {
    @Test func `is started by the next client where the system had no descriptor for it`() async {
        await #expect(processExitsWith: .success) {
            var isRefused = false
            ProcessLimit.noMoreFiles {
                do throws(TransportFailure) { _ = try HTTPClient() } catch { isRefused = true }
            }
            guard isRefused else { exit(1) }
            _ = try HTTPClient()
        }
    }
}
