extension Catalogue {
    static let log: [Rule] = [
        Rule(
            "LOG-SENSITIVE", .error, cwe: 532, maswe: "MASWE-0005", masvs: "MASVS-STORAGE-2", tr: ["O.Source_3"],
            claim: "Logs are read by other people and programs.",
            mend: "Leave it out, or mark it private with Pavise's log.",
            bad: #"""
                func f(password: String) { print(password) }
                """#,
            good: #"""
                func f(status: Int) { print(status) }
                """#),
        Rule(
            "LEAK-ANALYTICS", .warning, cwe: 359, maswe: "MASWE-0066", masvs: "MASVS-PRIVACY-1", tr: ["O.TrdP_6"],
            claim: "The service keeps what it gets.",
            mend: "Leave it out.",
            bad: #"""
                func f(email: String) { Analytics.logEvent("login", parameters: ["m": email]) }
                """#,
            good: #"""
                func f(screen: String) { Analytics.logEvent("open", parameters: ["s": screen]) }
                """#),
        Rule(
            "LOG-PUBLIC", .warning, cwe: 532, maswe: "MASWE-0005", masvs: "MASVS-STORAGE-2", tr: ["O.Source_3"],
            claim: "A value marked public stands in every log of the device in clear text.",
            mend: "Leave the mark out: texts are private then.",
            bad: #"""
                func f(password: String) { let log = Logger(); log.info("a \(password, privacy: .public)") }
                """#,
            good: #"""
                func f(password: String) { let log = Logger(); log.info("a \(password, privacy: .private)") }
                """#),
    ]
}
