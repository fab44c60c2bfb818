// Declarations of ours of what Pavise names of DeviceCheck, from Apple's documentation. For checking types on Linux.
// Pages: https://developer.apple.com/documentation/devicecheck/ and the name in lower case.
@_exported public import Foundation

/// https://developer.apple.com/documentation/devicecheck/dcappattestservice
open class DCAppAttestService: NSObject {
    open class var shared: DCAppAttestService { fatalError() }
    open var isSupported: Bool { fatalError() }
    open func generateKey() async throws -> String { fatalError() }
    open func attestKey(_ keyId: String, clientDataHash: Data) async throws -> Data { fatalError() }
    open func generateAssertion(_ keyId: String, clientDataHash: Data) async throws -> Data { fatalError() }
}

/// https://developer.apple.com/documentation/devicecheck/dcerror-swift.struct
public struct DCError: Error {
    public enum Code: Int, Sendable {
        case unknownSystemFailure, featureUnsupported, invalidInput, invalidKey, serverUnavailable
    }
    public var code: Code { fatalError() }
}
