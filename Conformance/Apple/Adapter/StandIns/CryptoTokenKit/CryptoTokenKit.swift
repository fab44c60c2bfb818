/// CryptoTokenKit's errors, as Apple documents them: what the adapter names.
public let TKErrorDomain = "CryptoTokenKit"

/// See ``TKErrorDomain``.
public struct TKError: Error {
    /// The numbers.
    public enum Code: Int, Sendable {
        case corruptedData = -3
        case canceledByUser = -4
        case authenticationFailed = -5
        case objectNotFound = -6
        case authenticationNeeded = -9
    }
}
