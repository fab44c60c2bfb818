// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// Passwords that an app shares with a web site through the browser. There is no such browser here: the calls answer -4
// (errSecUnimplemented), so that code with these names builds and its error paths run.

/// Proposes a password: four groups of three characters, 72 bits of entropy.
///
/// - Returns: `nil` when the kernel gives no random bytes.
public func SecCreateSharedWebCredentialPassword() -> CFString? {
    // 64 of them, without letters and digits that look alike.
    let letters = Array("abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789_+=!?#%".utf8)
    var bytes = [UInt8](repeating: 0, count: 12)
    guard unsafe SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes) == errSecSuccess else { return nil }
    let chosen = bytes.map { letters[Int($0 & 63)] }
    let groups = stride(from: 0, to: chosen.count, by: 3).map { String(decoding: chosen[$0..<$0 + 3], as: UTF8.self) }
    return groups.joined(separator: "-") as NSString
}

/// Would share a password with a web site. Calls back with the error -4.
public func SecAddSharedWebCredential(
    _ fqdn: CFString, _ account: CFString, _ password: CFString?, _ completionHandler: @escaping (CFError?) -> Void
) {
    // Handed over: called once, on the queue, and not touched here any more.
    nonisolated(unsafe) let completionHandler = completionHandler
    DispatchQueue.global().async { unsafe completionHandler(StatusError.make(errSecUnimplemented)) }
}

/// Would ask a person for a password that a web site shares. Calls back with the error -4.
public func SecRequestSharedWebCredential(
    _ fqdn: CFString?, _ account: CFString?, _ completionHandler: @escaping (CFArray?, CFError?) -> Void
) {
    // Handed over: called once, on the queue, and not touched here any more.
    nonisolated(unsafe) let completionHandler = completionHandler
    DispatchQueue.global().async { unsafe completionHandler(nil, StatusError.make(errSecUnimplemented)) }
}
