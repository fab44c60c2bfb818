import Foundation
import Security

#if canImport(LocalAuthentication)
import LocalAuthentication
#endif

/// Who must be there when a value is read.
public struct Guard {
    public let control: SecAccessControl

    public init(_ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags) throws {
        var error: Unmanaged<CFError>?
        guard let control = SecAccessControlCreateWithFlags(kCFAllocatorDefault, protection, flags, &error) else {
            let cause = error!.takeRetainedValue()
            throw NSError(
                domain: CFErrorGetDomain(cause) as String, code: CFErrorGetCode(cause),
                userInfo: [NSLocalizedDescriptionKey: CFErrorCopyDescription(cause) as String])
        }
        self.control = control
    }

    /// A query that fails rather than asks.
    public func query(service: String) -> [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            kSecAttrAccessControl as String: control,
            kSecUseAuthenticationUI as String: kSecUseAuthenticationUIFail,
        ]
        #if canImport(LocalAuthentication)
        let context = LAContext()
        context.interactionNotAllowed = true
        query[kSecUseAuthenticationContext as String] = context
        #endif
        query.removeValue(forKey: kSecAttrAccessControl as String)
        return query
    }
}

/// Bytes that nobody can guess.
public func randomBytes(_ count: Int) throws -> Data {
    var bytes = [UInt8](repeating: 0, count: count)
    guard SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes) == errSecSuccess else {
        throw ShelfError(errSecAllocate)
    }
    return Data(bytes)
}

public func randomData(_ count: Int) -> Data? {
    var data = Data(count: count)
    let status = data.withUnsafeMutableBytes { SecRandomCopyBytes(kSecRandomDefault, count, $0.baseAddress!) }
    return status == errSecSuccess ? data : nil
}
