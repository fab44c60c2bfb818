import Foundation

#if canImport(Security)
import Security
#endif

/// Internet passwords, with the dictionary built in Objective-C's way.
public struct WebPasswords {
    public enum Scheme: String, CaseIterable {
        case http, https, ftp, ssh, imap

        var code: NSString {
            switch self {
            case .http: return kSecAttrProtocolHTTP
            case .https: return kSecAttrProtocolHTTPS
            case .ftp: return kSecAttrProtocolFTP
            case .ssh: return kSecAttrProtocolSSH
            case .imap: return kSecAttrProtocolIMAP
            }
        }
    }

    public let server: URL
    public let scheme: Scheme

    public init(server: URL, scheme: Scheme) {
        self.server = server
        self.scheme = scheme
    }

    private func query(_ account: String) -> NSMutableDictionary {
        let query = NSMutableDictionary()
        query[kSecClass] = kSecClassInternetPassword
        query[kSecAttrServer as String] = server.host
        query[kSecAttrProtocol as String] = scheme.code
        query.setObject(kSecAttrAuthenticationTypeHTMLForm, forKey: kSecAttrAuthenticationType)
        if let port = server.port { query[kSecAttrPort] = port }
        query[kSecAttrAccount as String] = account
        return query
    }

    public func store(_ password: String, for account: String, comment: String? = nil) throws {
        let add = query(account)
        add[kSecValueData as String] = Data(password.utf8)
        if let comment = comment { add[kSecAttrComment as String] = comment }
        var reference: AnyObject?
        add[kSecReturnPersistentRef] = kCFBooleanTrue
        let status = SecItemAdd(add, &reference)
        guard status == errSecSuccess, reference is Data else { throw ShelfError(status) }
    }

    public func find(_ account: String) throws -> (password: String, attributes: [AnyHashable: Any])? {
        let search = query(account)
        search[kSecReturnData as String] = true
        search[kSecReturnAttributes as String] = true
        var result: AnyObject?
        switch SecItemCopyMatching(search as CFDictionary, &result) {
        case errSecItemNotFound: return nil
        case errSecSuccess: break
        case let status: throw ShelfError(status)
        }
        guard let found = result as? [AnyHashable: Any], let data = found[kSecValueData] as? Data else {
            throw ShelfError(errSecDecode)
        }
        return (String(decoding: data, as: UTF8.self), found)
    }

    public func remove(_ account: String) throws {
        let status = SecItemDelete(query(account))
        guard status == errSecSuccess || status == errSecItemNotFound else { throw ShelfError(status) }
    }
}
