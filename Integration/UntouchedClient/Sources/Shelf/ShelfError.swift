import Foundation

/// A status of the keychain as an error. Foundation brings the names along on Apple's systems, so nothing else is
/// imported.
public struct ShelfError: Error, Equatable, CustomStringConvertible {
    public let status: OSStatus

    public init(_ status: OSStatus) { self.status = status }

    public var description: String {
        (SecCopyErrorMessageString(status, nil) as String?) ?? "status \(status)"
    }

    public var isMissing: Bool { status == errSecItemNotFound }
    public var isDuplicate: Bool { status == errSecDuplicateItem }
}

extension ShelfError: LocalizedError {
    public var errorDescription: String? { description }
}

extension ShelfError: CustomNSError {
    public static var errorDomain: String { NSOSStatusErrorDomain }
    public var errorCode: Int { Int(status) }
}

func check(_ status: OSStatus) throws {
    switch status {
    case errSecSuccess, noErr: return
    case errSecUserCanceled, errSecAuthFailed, errSecInteractionNotAllowed: throw ShelfError(status)
    default: throw ShelfError(status)
    }
}
