#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The networks this machine is attached to.
package enum NetworkInterfaces {
    /// The prefixes of all interfaces that are up, in CIDR notation, without loopback and point-to-point links.
    ///
    /// Empty when the system does not tell: nothing counts as attached then.
    package static func connectedPrefixes() -> [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&first) == 0 else { return [] }
        defer { unsafe freeifaddrs(first) }
        var prefixes: [String] = []
        var next = unsafe first
        while let entry = unsafe next {
            if let prefix = unsafe prefix(of: entry.pointee) { prefixes.append(prefix) }
            unsafe next = entry.pointee.ifa_next
        }
        return prefixes
    }

    private static func prefix(of entry: ifaddrs) -> String? {
        let flags = unsafe Int32(truncatingIfNeeded: entry.ifa_flags)
        guard flags & Int32(IFF_UP) != 0, flags & Int32(IFF_LOOPBACK | IFF_POINTOPOINT) == 0,
            let address = unsafe entry.ifa_addr, let mask = unsafe entry.ifa_netmask,
            let network = unsafe bytes(of: address), let maskBytes = unsafe bytes(of: mask),
            network.count == maskBytes.count
        else { return nil }
        let bits = maskBytes.reduce(0) { $0 + $1.nonzeroBitCount }
        return "\(text(network))/\(bits)"
    }

    private static func bytes(of address: UnsafeMutablePointer<sockaddr>) -> [UInt8]? {
        switch Int32(unsafe address.pointee.sa_family) {
        case AF_INET:
            return unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
                unsafe withUnsafeBytes(of: pointer.pointee.sin_addr) { unsafe Array($0) }
            }
        case AF_INET6:
            return unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
                unsafe withUnsafeBytes(of: pointer.pointee.sin6_addr) { unsafe Array($0) }
            }
        default: return nil
        }
    }

    private static func text(_ bytes: [UInt8]) -> String {
        guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2).map {
            String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
        }.joined(separator: ":")
    }
}
