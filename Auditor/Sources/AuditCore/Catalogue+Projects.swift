extension Catalogue {
    static let projects: [Rule] = [
        Rule(
            "DEP-UNPINNED", .warning, cwe: 1104, maswe: "MASWE-0044", masvs: "MASVS-CODE-3",
            tr: ["O.TrdP_1", "O.TrdP_5"],
            claim: "What is built changes without a change of the sources.",
            mend: "Name a version or a revision, and an address with https.",
            bad: #"""
                requirement = {
                kind = branch;
                branch = main;
                };
                """#,
            good: #"""
                requirement = {
                kind = exactVersion;
                version = 1.2.3;
                };
                """#, kind: .project),
        Rule(
            "CONTROL-DEBUG", .warning, cwe: 693, maswe: "MASWE-0061", masvs: "MASVS-RESILIENCE-3",
            tr: ["O.Source_8"],
            claim: "A control inside of #if DEBUG is not in the app that people get.",
            mend: "Leave the condition out; what a test needs otherwise, a test hands over.",
            bad: #"""
                func f(t: SecTrust) -> Bool {
                #if DEBUG
                guard SecTrustEvaluateWithError(t, nil) else { return false }
                #endif
                return true }
                """#,
            good: #"""
                func f(t: SecTrust) -> Bool {
                #if DEBUG
                show(t)
                #endif
                return SecTrustEvaluateWithError(t, nil) }
                """#),
        Rule(
            "STORE-AUTHSTATE", .warning, cwe: 565, maswe: "MASWE-0018", masvs: "MASVS-AUTH-1",
            tr: ["O.Auth_2", "O.Auth_7"],
            claim:
                "Preferences are changed by whoever has the device or a backup: a Boolean there opens nothing safely.",
            mend: "Ask the session or the lock, whose state is a key.",
            bad: #"""
                func f() { if UserDefaults.standard.bool(forKey: "isLoggedIn") { open() } }
                """#,
            good: #"""
                func f() { if UserDefaults.standard.bool(forKey: "isCompact") { open() } }
                """#),
    ]

    /// What is nowhere. Each asks for a file that needs the mechanism, in a tree that holds an app.
    static let absences: [Rule] = [
        Rule(
            "TLS-PINNING", .note, cwe: 295, maswe: "MASWE-0028", masvs: "MASVS-NETWORK-2", tr: ["O.Ntwk_4"],
            claim: "No key of a server is pinned anywhere in the app.",
            mend: "Pin the public keys with NSPinnedDomains or Pavise's PinSet, with a backup key.",
            bad: "let s = URLSession.shared", good: "let s = URLSession.shared; let k = SecTrustCopyKey(t)",
            isAbsence: true),
        Rule(
            "SCREEN-COVER", .warning, cwe: 200, maswe: "MASWE-0038", masvs: "MASVS-PLATFORM-3",
            tr: ["O.Plat_9", "O.Data_13"],
            claim: "Nothing notices that the app leaves the foreground: its picture stays in the app switcher.",
            mend: "Cover the content when the scene resigns active.",
            bad: "class A: UIViewController {}",
            good: "class A: UIViewController { func sceneWillResignActive(_ s: UIScene) { cover() } }", isAbsence: true),
        Rule(
            "FILE-BACKUP", .note, cwe: 530, maswe: "MASWE-0006", masvs: "MASVS-STORAGE-2", tr: ["O.Arch_4"],
            claim: "No file of the app is kept out of backups.",
            mend: "Set isExcludedFromBackup for files that must not leave the device, or use Pavise's sealed files.",
            bad: "let f = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)",
            good:
                "let f = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask); let k = URLResourceKey.isExcludedFromBackupKey",
            isAbsence: true),
        Rule(
            "RESI-ABSENT", .note, cwe: 693, maswe: "MASWE-0051", masvs: "MASVS-RESILIENCE-1",
            tr: ["O.Resi_2", "O.Resi_3"],
            claim: "Nothing looks at the integrity of device and app.",
            mend: "Use Pavise's integrity check and App Attest.",
            bad: "class A: UIViewController {}",
            good: "class A: UIViewController { let d = DCAppAttestService.shared }",
            isAbsence: true),
        Rule(
            "BIO-DOMAIN-STATE", .note, cwe: 287, maswe: "MASWE-0022", masvs: "MASVS-AUTH-2", tr: ["O.Auth_5"],
            claim: "Nothing notices that a face or finger was enrolled since the person was last seen.",
            mend: "Bind the key to biometryCurrentSet, or compare evaluatedPolicyDomainState with what was kept.",
            bad: "func f(c: LAContext) { c.evaluatePolicy(p, localizedReason: r) { ok, _ in use(ok) } }",
            good:
                "func f(c: LAContext) { if c.evaluatedPolicyDomainState == kept { c.evaluatePolicy(p, localizedReason: r, reply: use) } }",
            isAbsence: true),
        Rule(
            "FIELD-KEYBOARDS", .note, cwe: 549, maswe: "MASWE-0031", masvs: "MASVS-PLATFORM-1", tr: ["O.Data_10"],
            claim: "Keyboards of other makers read what is typed.",
            mend: "Refuse them in application(_:shouldAllowExtensionPointIdentifier:).",
            bad: "class A: UIViewController {}",
            good:
                "class A: UIViewController { func application(_ a: UIApplication, shouldAllowExtensionPointIdentifier i: String) -> Bool { false } }",
            isAbsence: true),
    ]
}
