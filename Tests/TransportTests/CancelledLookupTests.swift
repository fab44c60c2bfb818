#if canImport(Glibc)
import Glibc
import PaviseLab
import PaviseTransport
import TestSupport
import Testing

/// A name that nobody answers for, of a request that is cancelled: the C library goes on waiting for ten seconds.
@Suite struct CancelledLookupTests {
    @Test(.enabled(if: OwnNetwork.isPossible, "no network namespace can be made here"))
    func `RV-R2: in a network of its own a lookup that is given up holds nobody up`() throws {
        let done = try OwnNetwork.run("InsideCancelledLookupTests")
        #expect(done.status == 0 && done.output.contains("is left to itself\" passed"), "\(done.output)")
    }
}

@Suite(.enabled(if: OwnNetwork.isHere, "started by CancelledLookupTests")) struct InsideCancelledLookupTests {
    /// Takes what is asked of any nameserver, and says nothing.
    private final class SilentNameserver: Sendable {
        private let number: Int32

        init() throws {
            number = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(53).bigEndian
            let code = unsafe withUnsafePointer(to: &address) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            try #require(code == 0)
        }

        deinit { close(number) }
    }

    @Test func `is left to itself`() async throws {
        // Every address is this machine's, so that the nameserver is, too. Without an address beside loopback's the C
        // library asks nobody.
        for words in ["link set lo up", "addr add 192.0.2.1/24 dev lo", "route add local default dev lo"] {
            try OwnNetwork.ip(words)
        }
        let nameserver = try SilentNameserver()
        let lab = try TestLab()
        #expect(try await lab.get().status == 200)
        let (client, url) = (lab.client, try WebURL("https://slow.example.org/"))
        let lookup = Task {
            await failure { () throws(TransportFailure) in try await client.send(HTTPRequest("GET", url)) }
        }
        try await Task.sleep(for: .milliseconds(500))
        let begin = ContinuousClock.now
        lookup.cancel()
        // One that was answered already would prove nothing.
        guard case .cancelled? = await lookup.value else {
            Issue.record("the name was not being looked up")
            return
        }
        #expect(try await lab.get().status == 200)
        #expect(ContinuousClock.now - begin < .seconds(3))
        withExtendedLifetime(nameserver) {}
    }
}
#endif
