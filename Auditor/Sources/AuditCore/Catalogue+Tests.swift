extension Rule {
    /// Tests of OWASP's MASTG for iOS that look for the same thing; empty where it has none.
    package var mastg: [String] { (Catalogue.tests[id] ?? []).map { "MASTG-TEST-\($0)" } }
    /// The same for people: the ids, or that there is none.
    package var mastgText: String { mastg.isEmpty ? "none" : mastg.joined(separator: ", ") }
}

extension Catalogue {
    /// Numbers of tests by rule, as OWASP/mastg has them in August 2026. A test is named where a finding is what it
    /// looks for, be it with a device in the hand. Tests that OWASP replaced are not named, nor those that look at what
    /// is only near. A rule without one stands here too.
    package static let tests: [String: [String]] = [
        // Broken algorithms 0210, hashes 0211 and modes 0317; keys in code 0213 and in files 0214; their sizes 0209.
        "CONST-KEY": ["0213"], "CONST-PASSWORD": ["0213"], "CONST-IV": [], "CONST-SALT": [], "CRYPTO-OWN": [],
        "CRYPTO-MODE": ["0210", "0317"], "CRYPTO-RSA": ["0209"], "HASH-OUTDATED": ["0211"], "HASH-PASSWORD": [],
        "HASH-WEAK": ["0211"], "KDF-WEAK": [], "KEY-PREDICTABLE": [], "RANDOM-WEAK": ["0311"],
        "SECRET-ENTROPY": ["0213"], "SECRET-LITERAL": ["0213"], "SECRET-OBFUSCATED": ["0213"],
        "SECRET-RESOURCE": ["0214"],
        // Classes of files 0299; unencrypted data in private storage 0300, in shared storage 0303, in groups 0388.
        "FILE-BACKUP": ["0215"], "FILE-DEFAULT-CLASS": ["0299"], "FILE-NO-CLASS": ["0299"],
        "FILE-SHARED": ["0303", "0388"], "FILE-UNPROTECTED": ["0299"], "STORE-AUTHSTATE": [],
        "STORE-DATABASE": ["0300"], "STORE-DEFAULTS": ["0300"], "STORE-FILE": ["0300"], "STORE-NO-KEY": ["0300"],
        "CACHE-RESPONSE": [], "CAPTURE-LIBRARY": [], "IPC-SENSITIVE": [], "KEY-NO-CONTROL": [], "KEYCHAIN-GROUP": [],
        "KEYCHAIN-NO-CLASS": [], "KEYCHAIN-STATUS": [], "KEYCHAIN-SYNC": [], "KEYCHAIN-WEAK": [],
        "PROTECTION-NO-EFFECT": [],
        // Data in logs 0297, details of the program in logs 0358.
        "LEAK-ANALYTICS": [], "LOG-PUBLIC": ["0297"], "LOG-RELEASE": ["0358"], "LOG-SENSITIVE": ["0297"],
        // Addresses 0321, transport security 0322 and 0342, sessions 0343, connections 0344, trust 0396 and 0397.
        "ATS-ARBITRARY": ["0322"], "ATS-CONTENT": ["0322"], "ATS-EXCEPTION": ["0322", "0342"],
        "ATS-SHADOWED": ["0322"], "NET-HTTP": ["0321"],
        "NET-PEER": [], "NET-SENSITIVE": [], "PLIST-MISPLACED": [], "TLS-NO-EVALUATION": ["0396", "0397"],
        "TLS-PINNING": ["0385"], "TLS-VERSION": ["0343", "0344"],
        // Results of the person's presence 0266, fallbacks 0268, newly enrolled faces and fingers 0270.
        "BIO-BOOLEAN": ["0266"], "BIO-DOMAIN-STATE": ["0270"], "BIO-ENROLMENT": ["0268", "0270"],
        // Links 0370, 0371 and 0395; web views 0331, 0332, 0333, 0335 and 0376; fields 0313, 0346 and 0389.
        "FIELD-KEYBOARDS": ["0389"], "FIELD-PLAIN": ["0313", "0346"], "LINK-DEVELOPER": [], "LINK-SCHEME": [],
        "LINK-UNCHECKED": ["0370", "0371", "0395"], "NOTIFY-CONTENT": [], "PASTE-GENERAL": ["0276", "0279", "0280"],
        "SCREEN-COVER": ["0290"], "WEB-FILES": ["0331", "0333", "0335", "0376"], "WEB-HTML": [], "WEB-JS": [],
        "WEB-URL": ["0332"],
        // Objects of any class 0386, purposes 0360, devices that are broken open 0240, debuggers 0261.
        "ARCHIVE-INSECURE": ["0386"], "COMMAND": [], "FORMAT": [], "LENGTH": [], "PATH": [], "PREDICATE": [],
        "REDOS": [], "REGEX": [], "REGEX-ANCHOR": [], "REGEX-DOT": [], "SQL-STRING": [], "TAG-FILTER": [],
        "TRAP-INPUT": [], "XXE": [], "ZIP-SLIP": [], "PRIVACY-MANIFEST": [], "PRIVACY-PURPOSE": ["0360"],
        "PRIVACY-REASON": [], "PRIVACY-TRACKING": ["0281"], "CONTROL-DEBUG": [], "DEBUG-SWITCH": ["0261"],
        "DEP-UNPINNED": [], "RESI-ABSENT": ["0240"], "RUNTIME-OPEN": [],
    ]
}
