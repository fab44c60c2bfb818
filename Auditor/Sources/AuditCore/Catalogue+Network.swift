extension Catalogue {
    static let network: [Rule] = [
        Rule(
            "NET-HTTP", .warning, cwe: 319, maswe: "MASWE-0026", masvs: "MASVS-NETWORK-1", tr: ["O.Ntwk_7"],
            claim: "Everyone on the way reads and changes plain http.",
            mend: "Write https.",
            bad: #"""
                let u = URL(string: "http://api.example.org/v1")
                """#,
            good: #"""
                let u = URL(string: "https://api.example.org/v1")
                """#),
        Rule(
            "NET-SENSITIVE", .error, cwe: 319, maswe: "MASWE-0026", masvs: "MASVS-NETWORK-1", tr: ["O.Ntwk_1"],
            claim: "A value in a URL stays in logs, histories and proxies.",
            mend: "Send it in the body, over TLS, by Connection.send.",
            bad: #"""
                func f(password: String) {
                    let u = URL(string: "https://example.org/?p=" + password)
                use(u) }
                """#,
            good: #"""
                func f(page: String) { let u = URL(string: "https://example.org/?p=" + page); use(u) }
                """#),
        Rule(
            "TLS-NO-EVALUATION", .error, cwe: 295, maswe: "MASWE-0027", masvs: "MASVS-NETWORK-1", tr: ["O.Ntwk_5"],
            claim: "Without an evaluation any server is believed. Comparing a pin is no evaluation.",
            mend: "Call SecTrustEvaluateWithError and use its result, or Pavise's transport.",
            bad: #"""
                func f(t: SecTrust) -> URLCredential { URLCredential(trust: t) }
                """#,
            good: #"""
                func f(t: SecTrust) -> URLCredential? {
                    SecTrustEvaluateWithError(t, nil) ? URLCredential(trust: t) : nil }
                """#),
        Rule(
            "NET-PEER", .warning, cwe: 319, maswe: "MASWE-0026", masvs: "MASVS-NETWORK-1", tr: ["O.Ntwk_1"],
            claim: "What goes to devices near by without encryption is read by others in reach.",
            mend: "Ask for encryptionPreference: .required.",
            bad: #"""
                func f(p: MCPeerID) { let s = MCSession(peer: p, securityIdentity: nil, encryptionPreference: .none); use(s) }
                """#,
            good: #"""
                func f(p: MCPeerID) { let s = MCSession(peer: p, securityIdentity: i, encryptionPreference: .required); use(s) }
                """#),
        Rule(
            "TLS-VERSION", .error, cwe: 757, maswe: "MASWE-0026", masvs: "MASVS-NETWORK-1", tr: ["O.Ntwk_2"],
            claim: "TLS 1.0 and 1.1 are broken.",
            mend: "Ask for TLS 1.2 or 1.3.",
            bad: #"""
                func f(c: URLSessionConfiguration) { c.tlsMinimumSupportedProtocolVersion = .TLSv10 }
                """#,
            good: #"""
                func f(c: URLSessionConfiguration) { c.tlsMinimumSupportedProtocolVersion = .TLSv12 }
                """#),
    ]
}
