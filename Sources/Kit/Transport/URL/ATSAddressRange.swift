/// A range of addresses in CIDR notation, read as Apple's parser reads a key of `NSExceptionDomains` that holds a
/// slash.
public struct ATSAddressRange: Hashable, Sendable {
    /// The first address of the range.
    public let network: ATSAddress
    /// How many leading bits count, 0 to 32 or 0 to 128.
    public let prefix: Int

    /// Reads `text`; `nil` for text that Apple's parser does not read either, so that such a key never matches.
    ///
    /// Missing parts of an IPv4 network are zeros and IPv6 groups may be left out at the end; bits behind the prefix do
    /// not count. A network of 14 or 15 characters (IPv4) or of 38 or 39 (IPv6) is not read. A prefix that begins with
    /// 0 is octal, and its reading stops at the first digit that is none: `/08` is `/0`, which matches every address.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let prefix = Self.prefix(parts[1]), let network = Self.network(parts[0]),
            prefix <= network.bits
        else { return nil }
        self.network = network.masked(to: prefix)
        self.prefix = prefix
    }

    /// A range from an address and the bits that count, without the limits of Apple's parser.
    init?(network text: String, prefix: Int) {
        guard let network = ATSAddress(text), (0...network.bits).contains(prefix) else { return nil }
        self.network = network.masked(to: prefix)
        self.prefix = prefix
    }

    /// Whether `address` lies in the range. Addresses of the other family never do.
    public func contains(_ address: ATSAddress) -> Bool {
        address.isVersion6 == network.isVersion6 && address.masked(to: prefix) == network
    }

    /// The range as two numbers, for tables in which many are compared.
    struct Mask: Hashable, Sendable {
        private let network: ATSAddress
        private let bits: ATSAddress

        fileprivate init(_ range: ATSAddressRange) {
            network = range.network
            bits = ATSAddress(isVersion6: network.isVersion6, high: .max, low: .max).masked(to: range.prefix)
        }

        func contains(_ address: ATSAddress) -> Bool {
            (address.high & bits.high) == network.high && (address.low & bits.low) == network.low
                && address.isVersion6 == network.isVersion6
        }
    }

    var mask: Mask { Mask(self) }

    private static func prefix(_ text: Substring) -> Int? {
        guard (1...16).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        guard text.hasPrefix("0") else { return Int(text) }
        return Int(text.prefix { $0 <= "7" }, radix: 8)
    }

    private static func network(_ text: Substring) -> ATSAddress? {
        guard text.contains(":") else { return version4(text) }
        guard text.utf8.count < 38 else { return nil }
        let groups = text.split(separator: ":", omittingEmptySubsequences: false).count
        return ATSAddress(!text.contains("::") && groups < 8 ? text + "::" : String(text))
    }

    private static func version4(_ text: Substring) -> ATSAddress? {
        guard text.utf8.count < 14 else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).count
        guard parts <= 4 else { return nil }
        return ATSAddress(text + String(repeating: ".0", count: 4 - parts))
    }
}
