#if canImport(Glibc)
import Glibc
import PavisePrimitives
import Synchronization
import TestSupport
import Testing

/// What was heard so far.
private final class Heard: Sendable {
    private let list = Mutex<[SystemChange]>([])
    func add(_ change: SystemChange) { list.withLock { $0.append(change) } }

    /// Everything since the last question.
    var changes: NetworkChanges {
        list.withLock { list in
            list.reduce(into: NetworkChanges()) { all, change in
                if case .network(let some) = change { all.formUnion(some) }
            }
        }
    }

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

/// Messages as the kernel's to the watches of this namespace, from a socket of somebody else (netlink(7)).
private enum Forgery {
    static func send(kind: UInt16, body: [UInt8]) throws {
        let number = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        try #require(number >= 0)
        defer { close(number) }
        var message = bytes(UInt32(16 + body.count)) + bytes(UInt32(kind))
        message += [UInt8](repeating: 0, count: 8) + body
        let ports = try watches()
        try #require(!ports.isEmpty)
        for port in ports {
            let address = bytes(UInt32(AF_NETLINK)) + bytes(port) + bytes(0)
            let sent = unsafe address.withUnsafeBytes { place in
                let peer = unsafe place.baseAddress?.assumingMemoryBound(to: sockaddr.self)
                return unsafe message.withUnsafeBytes {
                    unsafe sendto(number, $0.baseAddress, $0.count, 0, peer, socklen_t(place.count))
                }
            }
            try #require(sent == message.count, "errno \(errno)")
        }
    }

    // Little-endian, as each machine that has netlink and Swift: a 16-bit number and two zeros are one of 32 bits.
    private static func bytes(_ number: UInt32) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// The numbers of the sockets that hear of networks: address, protocol, number, groups.
    private static func watches() throws -> [UInt32] {
        let text = String(decoding: try InputFile.read("/proc/net/netlink", limit: 1 << 20), as: UTF8.self)
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let words = line.split(separator: " ")
            guard words.count > 3, words[1] == "0", UInt32(words[3], radix: 16) ?? 0 != 0 else { return nil }
            return UInt32(words[2])
        }
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
        // What another program sends is nobody's word on networks. The kernel sends nothing that cannot be read.
        let isHeard = try await heard.hears(.lost) {
            try Forgery.send(kind: 20, body: [0, 0, 0, 0])
            try OwnNetwork.ip("addr del 192.0.2.1/24 dev left")
        }
        #expect(isHeard && !heard.changes.contains(.unknown))
        #expect(try await heard.hears(.lost) { try OwnNetwork.ip("link del left") })
        withExtendedLifetime(watch) {}
    }
}
#endif
