import Foundation
import Security

/// The constants as Swift texts.
enum Keys {
    static var accessGroup: String { text(kSecAttrAccessGroup) }
    static var accessible: String { text(kSecAttrAccessible) }
    static var account: String { text(kSecAttrAccount) }
    static var service: String { text(kSecAttrService) }
    static var synchronizable: String { text(kSecAttrSynchronizable) }
    static var klass: String { text(kSecClass) }
    static var matchLimit: String { text(kSecMatchLimit) }
    static var returnData: String { text(kSecReturnData) }
    static var valueData: String { text(kSecValueData) }
    static var reference: String { text(kSecReturnPersistentRef) }

    static func text(_ value: CFString) -> String { value as String }
}
