/// The target of a load, as far as ATS considers it.
public struct ATSTarget: Hashable, Sendable {
    /// A host name, or an address as it was written.
    public let host: String
    /// Whether the host is an address and not a name.
    public let isAddress: Bool
    /// Whether no router lies between: see ``LocalLinks``.
    public let isDirect: Bool

    /// A target from its parts.
    public init(host: String, isAddress: Bool, isDirect: Bool) {
        self.host = host
        self.isAddress = isAddress
        self.isDirect = isDirect
    }

    /// The target of `origin`.
    public init(_ origin: Origin, isDirect: Bool) {
        self.init(host: origin.host, isAddress: origin.isAddress, isDirect: isDirect)
    }
}

extension Origin {
    /// Whether the host is an address. ``WebURL`` has made sure that a host of digits has one reading, and that a colon
    /// stands behind hexadecimal digits only: most names are known by their first letters.
    var isAddress: Bool {
        var digits = true
        for byte in host.utf8 {
            switch byte {
            case UInt8(ascii: ":"): return true
            case UInt8(ascii: "."), 0x30...0x39: continue
            case 0x41...0x46, 0x61...0x66: digits = false
            default: return false
            }
        }
        return digits
    }
}
