import Foundation
import Testing

@testable import Shelf

@Suite(.serialized) struct WebPasswordSuite {
    @Test(arguments: WebPasswords.Scheme.allCases)
    func aPasswordGoesInAndComesOut(_ scheme: WebPasswords.Scheme) throws {
        let passwords = WebPasswords(server: URL(string: "https://example.org:8443")!, scheme: scheme)
        try passwords.remove("ada")
        try passwords.store("secret of \(scheme)", for: "ada", comment: "a comment")
        let found = try #require(try passwords.find("ada"))
        #expect(found.password == "secret of \(scheme)")
        #expect(found.attributes[kSecAttrServer] as? String == "example.org")
        #expect(found.attributes[kSecAttrPort] as? Int == 8443)
        #expect(found.attributes[kSecAttrProtocol] as? String == scheme.code as String)
        #expect(found.attributes[kSecAttrComment] as? String == "a comment")
        #expect(found.attributes[kSecAttrModificationDate] is Date)
        #expect(throws: ShelfError(errSecDuplicateItem)) { try passwords.store("again", for: "ada") }
        try passwords.remove("ada")
        #expect(try passwords.find("ada") == nil)
    }

    @Test func theFrameworkIsVisible() {
        #if canImport(Security)
        #expect(Security.kSecClass as String == "class")
        #else
        Issue.record("canImport(Security) is false")
        #endif
    }
}
