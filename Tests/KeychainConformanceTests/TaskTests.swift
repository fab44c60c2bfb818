import Foundation
import KeychainTestSupport
import SecurityFramework
import Testing

/// SecTask: the entitlements of a program are the access groups that its keychain calls use.
@Suite struct `Entitlements of a program` {
    private func value(_ name: String) -> CFTypeRef? {
        SecTaskCreateFromSelf(nil).flatMap { SecTaskCopyValueForEntitlement($0, name as CFString, nil) }
    }

    @Test func `the access groups are told in the order in which they count`() throws {
        try ItemFixture(groups: ["one", "two"]).run {
            #expect(value("keychain-access-groups") as? [String] == ["one", "two"])
            #expect(add(password()) == errSecSuccess)
            let first = copy(password(), ["r_Attributes": true]).result as? [String: Any]
            #expect(first?["agrp"] as? String == (value("keychain-access-groups") as? [String])?.first)
        }
    }

    @Test func `the name is the program's, under both spellings`() throws {
        try ItemFixture().run {
            let name = ApplicationIdentity.current.identifier
            #expect(value("application-identifier") as? String == name)
            #expect(value("com.apple.application-identifier") as? String == name)
        }
    }

    @Test func `a program without groups has no entitlement, and an unknown one nobody`() throws {
        try ItemFixture(groups: []).run {
            #expect(value("keychain-access-groups") == nil && value("application-identifier") == nil)
        }
        try ItemFixture().run {
            #expect(value("com.apple.security.app-sandbox") == nil && value("") == nil)
        }
    }

    @Test func `several are told by their names, without those that are absent`() throws {
        try ItemFixture(groups: ["one"]).run {
            let task = try #require(SecTaskCreateFromSelf(nil))
            let names = ["keychain-access-groups", "absent", 7] as [Any]
            let values = SecTaskCopyValuesForEntitlements(task, names as CFArray, nil) as? [String: [String]]
            #expect(values == ["keychain-access-groups": ["one"]])
            #expect((SecTaskCopyValuesForEntitlements(task, [] as CFArray, nil))?.count == 0)
            #expect(CFGetTypeID(task) == SecTaskGetTypeID() && SecTaskGetTypeID() != SecTrustGetTypeID())
        }
    }
}
