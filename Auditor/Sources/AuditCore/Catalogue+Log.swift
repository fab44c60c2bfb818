extension Catalogue {
    private static let weakNames = """
        A value is told as a note where one fact alone speaks for it: a weak word without another one of a credential or
        a person (token, pin, phone, latitude, credential, patient), a name whose noun is another one (emailVerified), a
        written type that holds no text, bytes or number of the kind, in this file or in all others of the tree, a type's
        own member (Permission.email), an object made of the value, a part of it, what a command gives back
        (savePassword), a constant that is no credential, a token that notifications are sent by.
        """

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
                """#,
            weighs: weakNames + """
                 So is what a program for the command line prints, what a function of the tree writes in debug builds
                alone, and a text for the system's log, which keeps it private.
                """),
        Rule(
            "LEAK-ANALYTICS", .warning, cwe: 359, maswe: "MASWE-0066", masvs: "MASVS-PRIVACY-1", tr: ["O.TrdP_6"],
            claim: "The service keeps what it gets.",
            mend: "Leave it out.",
            bad: #"""
                func f(email: String) { Analytics.logEvent("login", parameters: ["m": email]) }
                """#,
            good: #"""
                func f(screen: String) { Analytics.logEvent("open", parameters: ["s": screen]) }
                """#,
            weighs: weakNames),
        Rule(
            "LOG-PUBLIC", .warning, cwe: 532, maswe: "MASWE-0005", masvs: "MASVS-STORAGE-2", tr: ["O.Source_3"],
            claim: "A value marked public stands in every log of the device in clear text.",
            mend: "Leave the mark out: texts are private then.",
            bad: #"""
                func f(password: String) { let log = Logger(); log.info("a \(password, privacy: .public)") }
                """#,
            good: #"""
                func f(password: String) { let log = Logger(); log.info("a \(password, privacy: .private)") }
                """#,
            weighs: weakNames),
    ]
}
