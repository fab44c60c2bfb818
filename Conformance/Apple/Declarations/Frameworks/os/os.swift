// The unified log, as far as Pavise names it: https://developer.apple.com/documentation/os/logger
// Pages: https://developer.apple.com/documentation/os/ and the name in lower case.

// https://developer.apple.com/documentation/os/oslogprivacy
@available(macOS 11.0, iOS 14.0, *)
public struct OSLogPrivacy: Sendable {
    public static var `public`: OSLogPrivacy { fatalError() }
    public static var `private`: OSLogPrivacy { fatalError() }
    public static var sensitive: OSLogPrivacy { fatalError() }
}

// https://developer.apple.com/documentation/os/oslogstringalignment
@available(macOS 11.0, iOS 14.0, *)
public struct OSLogStringAlignment: Sendable {
    public static var none: OSLogStringAlignment { fatalError() }
}

// https://developer.apple.com/documentation/os/osloginterpolation
@available(macOS 11.0, iOS 14.0, *)
public struct OSLogInterpolation: StringInterpolationProtocol {
    public init(literalCapacity: Int, interpolationCount: Int) { fatalError() }
    public mutating func appendLiteral(_ literal: String) { fatalError() }
    public mutating func appendInterpolation(
        _ argumentString: @autoclosure @escaping () -> String, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .private
    ) { fatalError() }
}

// https://developer.apple.com/documentation/os/oslogmessage
@available(macOS 11.0, iOS 14.0, *)
public struct OSLogMessage: ExpressibleByStringInterpolation {
    public init(stringInterpolation: OSLogInterpolation) { fatalError() }
    public init(stringLiteral value: String) { fatalError() }
}

// https://developer.apple.com/documentation/os/logger
@available(macOS 11.0, iOS 14.0, *)
public struct Logger: @unchecked Sendable {
    public init(subsystem: String, category: String) { fatalError() }
    public func debug(_ message: OSLogMessage) { fatalError() }
    public func info(_ message: OSLogMessage) { fatalError() }
    public func notice(_ message: OSLogMessage) { fatalError() }
    public func error(_ message: OSLogMessage) { fatalError() }
    public func fault(_ message: OSLogMessage) { fatalError() }
}
