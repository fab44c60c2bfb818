// Declarations of ours of what Pavise names of Network, from Apple's documentation. For checking types on Linux.
// Pages: https://developer.apple.com/documentation/network/ and the name in lower case.
@_exported public import Foundation

/// https://developer.apple.com/documentation/network/nwpath
public struct NWPath: Equatable, Sendable {
    public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }
    public let status: Status
}

/// https://developer.apple.com/documentation/network/nwpathmonitor (an AsyncSequence since macOS 14 and iOS 17)
public final class NWPathMonitor: AsyncSequence {
    public typealias Element = NWPath
    public struct Iterator: AsyncIteratorProtocol {
        public mutating func next() async -> NWPath? { nil }
    }
    public init() {}
    public func makeAsyncIterator() -> Iterator { Iterator() }
    public func cancel() {}
}
