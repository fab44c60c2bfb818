/// What became of this machine's networks.
package struct NetworkChanges: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A link came up, or an address or a route was added: a server may be reachable that was not.
    package static let gained = NetworkChanges(rawValue: 1)
    /// Something went away.
    package static let lost = NetworkChanges(rawValue: 2)
    /// Messages were lost or cannot be read: anything may have changed.
    package static let unknown = NetworkChanges(rawValue: 4)
}

/// Reads what the kernel of Linux says about links, addresses and routes (rtnetlink(7)). Pure.
///
/// The kernel repeats itself: a link tells about each scan of a radio, an address about each renewal. A link counts
/// when it comes up, and not while it is.
package struct NetworkTable: Hashable, Sendable {
    /// The most links that are kept in mind.
    package static let limit = 1024

    // netlink(7), rtnetlink(7): the sizes of the heads and the numbers of the messages.
    private enum Layout {
        static let head = 16
        static let link = 16
        static let address = 8
        static let route = 12
        static let newLink: UInt16 = 16
        static let delLink: UInt16 = 17
        static let newAddress: UInt16 = 20
        static let delAddress: UInt16 = 21
        static let newRoute: UInt16 = 24
        static let delRoute: UInt16 = 25
        // netdevice(7): IFF_UP and IFF_RUNNING.
        static let isUsable: UInt32 = 0x41
        // linux/if_addr.h: IFA_F_TENTATIVE. Nobody may use it yet; another message says when.
        static let isTentative: UInt8 = 0x40
        // linux/rtnetlink.h: RTM_F_CLONED, an entry of a cache.
        static let isCloned: UInt32 = 0x200
    }

    private var usable: [UInt32: Bool] = [:]

    /// A table of a machine about which nothing is known.
    package init() {}

    /// Takes one datagram, which may hold several messages.
    package mutating func read(_ bytes: [UInt8]) -> NetworkChanges {
        var changes: NetworkChanges = []
        var start = 0
        while start < bytes.count {
            guard let length = Self.number32(bytes, start).map({ Int($0) }), let kind = Self.number16(bytes, start + 4),
                length >= Layout.head, length <= bytes.count - start
            else { return changes.union(.unknown) }
            changes.formUnion(message(kind, bytes[(start + Layout.head)..<(start + length)].map { $0 }))
            // Each message begins at a multiple of four.
            start += (length + 3) & ~3
        }
        return changes
    }

    private mutating func message(_ kind: UInt16, _ body: [UInt8]) -> NetworkChanges {
        switch kind {
        case Layout.newLink, Layout.delLink: link(body, isGone: kind == Layout.delLink)
        case Layout.newAddress:
            body.count < Layout.address ? .unknown : body[2] & Layout.isTentative == 0 ? .gained : []
        case Layout.newRoute:
            Self.number32(body, 8).map { $0 & Layout.isCloned == 0 ? .gained : [] } ?? .unknown
        case Layout.delAddress, Layout.delRoute: .lost
        default: []
        }
    }

    private mutating func link(_ body: [UInt8], isGone: Bool) -> NetworkChanges {
        guard body.count >= Layout.link, let index = Self.number32(body, 4), let flags = Self.number32(body, 8) else {
            return .unknown
        }
        let isUsable = !isGone && flags & Layout.isUsable == Layout.isUsable
        let was = usable[index] ?? false
        if isGone { usable[index] = nil } else { note(index, isUsable) }
        guard isUsable != was else { return [] }
        return isUsable ? .gained : .lost
    }

    private mutating func note(_ index: UInt32, _ isUsable: Bool) {
        if usable.count >= Self.limit, usable[index] == nil { usable = [:] }
        usable[index] = isUsable
    }

    // In the machine's own order; each system that has netlink and Swift is little-endian.
    private static func number16(_ bytes: [UInt8], _ start: Int) -> UInt16? {
        guard start >= 0, bytes.count - start >= 2 else { return nil }
        return UInt16(bytes[start]) | UInt16(bytes[start + 1]) << 8
    }

    private static func number32(_ bytes: [UInt8], _ start: Int) -> UInt32? {
        guard start >= 0, bytes.count - start >= 4 else { return nil }
        return (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
    }
}
