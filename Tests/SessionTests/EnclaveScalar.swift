import Foundation
import PaviseCrypto
import PavisePrimitives

@testable import PaviseDevice
@testable import SecurityFramework

/// The private half of a key that the software element keeps, computed from the element's own files as it does itself:
/// so that somebody can look for it where it must not be.
enum EnclaveScalar {
    enum Problem: Error {
        case noKey, noSoftwareElement, noBlob
    }

    static func of(tag: String) throws -> [UInt8] {
        let query: [String: Any] = [
            kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: Data(tag.utf8),
            kSecUseDataProtectionKeychain as String: true, kSecReturnRef as String: true,
        ]
        let answer = OwnItems.run(for: tag) { SecItem.copyMatching(query as CFDictionary) }
        guard let key = answer.result as? SecKey, case .element(_, let bytes, _) = key.material else {
            throw Problem.noKey
        }
        guard let element = try Device.current().element as? SoftwareElement else { throw Problem.noSoftwareElement }
        guard let blob = ElementBlob(bytes) else { throw Problem.noBlob }
        let salt = try DurableFile.read("\(element.folder)/keys/\(Hex.encode(blob.identity))", limit: 64)
        let wrapping = try element.derive(salt: salt, purpose: "element key").withBytes { try AESGCM(key: $0) }
        let scalar = try wrapping.open(blob.sealed.span, nonce: blob.nonce, associatedData: blob.header)
        return scalar.withBytes { span in Array(span) }
    }
}
