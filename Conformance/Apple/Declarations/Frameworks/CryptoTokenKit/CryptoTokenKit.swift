// Declarations of ours of what Pavise names of CryptoTokenKit, from Apple's documentation. For checking types on Linux.
// Pages: https://developer.apple.com/documentation/cryptotokenkit/ and the name in lower case.
@_exported public import Foundation

public let TKErrorDomain: String = "CryptoTokenKit"
public struct TKError: Error {
    public enum Code: Int, Sendable {
        case notImplemented = -1
        case communicationError = -2
        case corruptedData = -3
        case canceledByUser = -4
        case authenticationFailed = -5
        case objectNotFound = -6
        case tokenNotFound = -7
        case badParameter = -8
        case authenticationNeeded = -9
    }
}
