import SecurityFramework
import TestSupport
import Testing

/// Who a program is on Linux.
@Suite struct ApplicationIdentityTests {
    private func identity(_ variables: [String: String] = [:], _ information: [String: Any] = [:])
        -> ApplicationIdentity
    {
        ApplicationIdentity(variable: { variables[$0] }, information: information, executable: "tool")
    }

    @Test func `without any configuration the executable's name is the one group`() {
        #expect(identity().identifier == "tool")
        #expect(identity().accessGroups == ["tool"])
    }

    @Test func `the bundle identifier names the program, and a variable wins`() {
        let plist = ["CFBundleIdentifier": "org.example.app"]
        #expect(identity([:], plist).accessGroups == ["org.example.app"])
        #expect(identity(["PAVISE_APP_ID": "other"], plist).accessGroups == ["other"])
        #expect(identity(["PAVISE_APP_ID": " "], plist).accessGroups == ["tool"])
    }

    @Test func `keychain groups come first, then the program, then application groups`() {
        let plist: [String: Any] = [
            "CFBundleIdentifier": "org.example.app", "keychain-access-groups": ["shared", "org.example.app"],
            "com.apple.security.application-groups": ["group.example"],
        ]
        #expect(identity([:], plist).accessGroups == ["shared", "org.example.app", "group.example"])
    }

    @Test func `the variable is the whole list`() {
        let plist: [String: Any] = ["keychain-access-groups": ["shared"]]
        #expect(identity(["PAVISE_ACCESS_GROUPS": "a, b ,,a"], plist).accessGroups == ["a", "b"])
        #expect(identity(["PAVISE_ACCESS_GROUPS": "\u{A0}a\n,\u{2003}é\t, ,b c"]).accessGroups == ["a", "é", "b c"])
    }

    @Test(arguments: ["", " ", ",", " , "])
    func `KC43 an empty variable means no groups`(_ text: String) {
        #expect(identity(["PAVISE_ACCESS_GROUPS": text]).accessGroups == [])
    }

    @Test func `rules are strict until the variable, or the property list, says lenient`() {
        let plist = ["PaviseKeychainRules": "lenient"]
        #expect(identity().rules == .strict)
        #expect(identity(["PAVISE_KEYCHAIN_RULES": "lenient"]).rules == .lenient)
        #expect(identity([:], plist).rules == .lenient)
        #expect(identity(["PAVISE_KEYCHAIN_RULES": "strict"], plist).rules == .strict)
        for text in ["", "Lenient", "yes", "lenient "] {
            #expect(identity(["PAVISE_KEYCHAIN_RULES": text], plist).rules == .strict)
        }
        #expect(identity([:], ["PaviseKeychainRules": true]).rules == .strict)
    }

    @Test func `where lenient is the standard, strict can be asked for`() {
        func rules(_ text: String?) -> KeychainRules {
            let variable = { (name: String) in name == "PAVISE_KEYCHAIN_RULES" ? text : nil }
            return ApplicationIdentity(variable: variable, information: [:], executable: "tool", standard: .lenient)
                .rules
        }
        #expect(rules(nil) == .lenient)
        #expect(rules("strict") == .strict)
        #expect(rules("yes") == .strict)
    }

    @Test func `a team's prefix is dropped, and what is no group is left out`() {
        let plist: [String: Any] = [
            "keychain-access-groups": ["$(AppIdentifierPrefix)org.example.shared", "", "*", 7, ["x"]] as [Any]
        ]
        #expect(identity([:], plist).accessGroups == ["org.example.shared", "tool"])
        #expect(identity([:], ["keychain-access-groups": "text"]).accessGroups == ["tool"])
    }
}
