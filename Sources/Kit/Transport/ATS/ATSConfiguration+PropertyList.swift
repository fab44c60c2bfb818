package import PavisePrimitives

/// Why an Info.plist gives no configuration.
public struct ATSReadingFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence that says what is wrong and where.
    public let description: String
}

extension ATSConfiguration {
    /// Reads an Info.plist, XML or binary, at most 8 MiB of it. One without `NSAppTransportSecurity` is ``absent``.
    ///
    /// Values of a wrong type are treated as Apple's parser treats them: they count as absent.
    ///
    /// - Throws: ``ATSReadingFailure`` when the bytes are no property list, or one that is no dictionary.
    public init(infoPlist bytes: [UInt8]) throws(ATSReadingFailure) {
        let list: PropertyListValue
        do throws(PropertyListFailure) { list = try PropertyListValue.parse(bytes) } catch {
            throw ATSReadingFailure(description: error.description)
        }
        guard list.members != nil else { throw ATSReadingFailure(description: "The property list is no dictionary.") }
        self.init(propertyList: list["NSAppTransportSecurity"])
    }

    /// Reads the value of `NSAppTransportSecurity`.
    ///
    /// - Parameter value: `nil` when the key is missing. What is no dictionary counts as missing.
    package init(propertyList value: PropertyListValue?) {
        var exceptions: [String: ATSException] = [:]
        for member in value?["NSExceptionDomains"]?.members ?? [] where member.value.members != nil {
            exceptions[member.name] = ATSException(propertyList: member.value)
        }
        self.init(
            arbitraryLoads: value?["NSAllowsArbitraryLoads"]?.truth,
            media: value?["NSAllowsArbitraryLoadsForMedia"]?.truth,
            webContent: value?["NSAllowsArbitraryLoadsInWebContent"]?.truth,
            localNetworking: value?["NSAllowsLocalNetworking"]?.truth, exceptions: exceptions)
    }
}

extension ATSException {
    /// Reads one entry. A minimum version of another type is TLS 1.2, and an unknown text leaves TLS 1.2 as the floor.
    package init(propertyList value: PropertyListValue) {
        let version = value["NSExceptionMinimumTLSVersion"]
        self.init(
            includesSubdomains: value["NSIncludesSubdomains"]?.truth ?? false,
            allowsInsecureHTTPLoads: value["NSExceptionAllowsInsecureHTTPLoads"]?.truth ?? false,
            requiresForwardSecrecy: value["NSExceptionRequiresForwardSecrecy"]?.truth ?? true,
            minimumTLSVersion: version.flatMap { $0.string.map(ATSVersion.init(rawValue:)) ?? .tls12 })
    }
}
