// Declarations of ours of what Pavise names of ManagedApp, from Apple's documentation. For checking types on Linux.
// macOS has it from 27 on, which none of the systems here is.
// Pages: https://developer.apple.com/documentation/managedapp/ and the name in lower case.
// Only: ios

/// https://developer.apple.com/documentation/managedapp/managedappconfigurationprovider
@available(iOS 18.4, *)
public class ManagedAppConfigurationProvider {
    public init() {}
    /// https://developer.apple.com/documentation/managedapp/managedappconfigurationprovider/configurations(_:)
    public func configurations<Configuration: Decodable>(
        _ type: Configuration.Type
    ) async -> some AsyncSequence<Configuration?, Never> { Nothing<Configuration>() }
}

@available(iOS 18.4, *)
struct Nothing<Configuration>: AsyncSequence, AsyncIteratorProtocol {
    typealias Element = Configuration?
    typealias Failure = Never
    func makeAsyncIterator() -> Self { self }
    mutating func next() async -> Element? { nil }
    mutating func next(isolation actor: isolated (any Actor)?) async -> Element? { nil }
}

/// https://developer.apple.com/documentation/managedapp/managedappconfigurationdecodingerror
@available(iOS 18.4, *)
public protocol ManagedAppConfigurationDecodingError: Decodable, Encodable, Error {
    var code: ManagedAppConfigurationDecodingErrorCode { get }
    var message: String { get }
}

/// https://developer.apple.com/documentation/managedapp/managedappconfigurationdecodingerrorcode
@available(iOS 18.4, *)
public struct ManagedAppConfigurationDecodingErrorCode: Codable, Sendable {
    public let rawValue: Int
    public init?(rawValue: Int) { self.rawValue = rawValue }
}
