import Security
import XCTest

@testable import Shelf

final class KeyTests: XCTestCase {
    let message = Data("to whom it may concern".utf8)

    func testACurveKeySignsAndExports() throws {
        let pair = try KeyPair(.curve(bits: 256))
        let signature = try pair.sign(message, .ecdsaSignatureMessageX962SHA256)
        XCTAssertTrue(pair.isValid(signature, for: message, .ecdsaSignatureMessageX962SHA256))
        XCTAssertFalse(pair.isValid(signature, for: Data(), .ecdsaSignatureMessageX962SHA256))
        let exported = try pair.exported()
        XCTAssertEqual(exported.bytes.count, 65)
        XCTAssertEqual(exported.bytes.first, 4)
        XCTAssertEqual(exported.again, pair.publicKey)
    }

    func testARSAKeySignsSealsAndOpens() throws {
        let pair = try KeyPair(.rsa(bits: 2048))
        let signature = try pair.sign(message, .rsaSignatureMessagePKCS1v15SHA256)
        XCTAssertEqual(signature.count, SecKeyGetBlockSize(pair.privateKey))
        XCTAssertTrue(pair.isValid(signature, for: message, .rsaSignatureMessagePKCS1v15SHA256))
        let sealed = try pair.seal(message, .rsaEncryptionOAEPSHA256)
        XCTAssertEqual(try pair.open(sealed, .rsaEncryptionOAEPSHA256), message)
        XCTAssertThrowsError(try pair.open(message, .rsaEncryptionOAEPSHA256)) { error in
            XCTAssertEqual((error as NSError).domain, NSOSStatusErrorDomain)
        }
    }

    func testTheStandardPacketOfCurveKeys() throws {
        let pair = try KeyPair(.curve(bits: 256))
        let sealed = try pair.seal(message, .eciesEncryptionStandardX963SHA256AESGCM)
        XCTAssertEqual(sealed.count, 65 + message.count + 16)
        XCTAssertEqual(try pair.open(sealed, .eciesEncryptionStandardX963SHA256AESGCM), message)
    }

    func testAPermanentKeyIsFoundAgain() throws {
        let tag = "org.example.shelf.key"
        KeyPair.remove(tag: tag)
        let pair = try KeyPair(.curve(bits: 256), tag: tag)
        let found = try KeyPair.find(tag: tag)
        let signature = try pair.sign(message, .ecdsaSignatureMessageX962SHA256)
        var error: Unmanaged<CFError>?
        let half = try XCTUnwrap(SecKeyCopyPublicKey(found))
        XCTAssertTrue(
            SecKeyVerifySignature(
                half, .ecdsaSignatureMessageX962SHA256, message as CFData, signature as CFData, &error))
        XCTAssertNil(error)
        KeyPair.remove(tag: tag)
        XCTAssertThrowsError(try KeyPair.find(tag: tag)) { error in
            XCTAssertEqual((error as NSError).code, Int(errSecItemNotFound))
        }
    }

    func testAccessControls() throws {
        let own = try Guard(kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .userPresence)
        XCTAssertEqual(CFGetTypeID(own.control), SecAccessControlGetTypeID())
        XCTAssertThrowsError(try Guard(kSecAttrAccessibleWhenUnlocked, [.or, .and])) { error in
            XCTAssertEqual((error as NSError).code, Int(errSecParam))
        }
        let query = own.query(service: "org.example.nobody")
        XCTAssertEqual(SecItemCopyMatching(query as CFDictionary, nil), errSecItemNotFound)
    }

    func testRandomBytes() throws {
        XCTAssertNotEqual(try randomBytes(32), try randomBytes(32))
        XCTAssertEqual(randomData(24)?.count, 24)
    }
}
