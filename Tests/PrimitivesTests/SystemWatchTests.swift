#if canImport(Glibc)
import PavisePrimitives
import Synchronization
import TestSupport
import Testing

/// What was heard so far.
private final class Heard: Sendable {
    private let list = Mutex<[SystemChange]>([])
    func add(_ change: SystemChange) { list.withLock { $0.append(change) } }

    /// Whether `change` comes within half a minute; what was heard before is forgotten.
    func hears(_ changes: NetworkChanges, after body: () throws -> Void) async throws -> Bool {
        list.withLock { $0 = [] }
        try body()
        for _ in 0..<3_000 {
            let found = list.withLock { $0 }
            for case .network(let some) in found where some.isSuperset(of: changes) { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }
}

@Suite struct SystemWatchTests {
    @Test func `a watch that nobody holds ends, and its thread with it`() async throws {
        weak var heard: Heard?
        do {
            let strong = Heard()
            heard = strong
            let watch = try SystemWatch { strong.add($0) }
            withExtendedLifetime(watch) {}
        }
        // What the thread holds goes when it has ended, its descriptors too.
        for _ in 0..<3_000 where heard != nil { try await Task.sleep(for: .milliseconds(10)) }
        #expect(heard == nil)
    }

    @Test(.enabled(if: OwnNetwork.isPossible, "no network namespace can be made here"))
    func `in a network of its own it hears what ip does`() throws {
        let done = try OwnNetwork.run("InsideSystemWatchTests")
        #expect(done.status == 0, "\(done.output)")
        #expect(done.output.contains("hears links, addresses and routes\" passed"))
    }

}

@Suite(.enabled(if: OwnNetwork.isHere, "started by SystemWatchTests")) struct InsideSystemWatchTests {
    @Test func `hears links, addresses and routes`() async throws {
        let heard = Heard()
        let watch = try SystemWatch { heard.add($0) }
        #expect(try await heard.hears(.gained) { try OwnNetwork.ip("link set lo up") })
        #expect(try await heard.hears(.lost) { try OwnNetwork.ip("link set lo down") })
        try OwnNetwork.ip("link add left type veth peer name right")
        try OwnNetwork.ip("link set left up")
        #expect(try await heard.hears(.gained) { try OwnNetwork.ip("link set right up") })
        #expect(try await heard.hears(.gained) { try OwnNetwork.ip("addr add 192.0.2.1/24 dev left") })
        #expect(try await heard.hears(.gained) { try OwnNetwork.ip("route add default via 192.0.2.2") })
        #expect(try await heard.hears(.lost) { try OwnNetwork.ip("route del default") })
        #expect(try await heard.hears(.lost) { try OwnNetwork.ip("link del left") })
        withExtendedLifetime(watch) {}
    }
}
#endif
