extension Catalogue {
    static let platform: [Rule] = [
        Rule(
            "WEB-HTML", .error, cwe: 79, maswe: "MASWE-0035", masvs: "MASVS-PLATFORM-2", tr: ["O.Plat_8", "O.Arch_8"],
            claim: "Foreign HTML runs with the page's rights.",
            mend: "Show text, or load with a base URL of its own and scripts off.",
            bad: #"""
                func f(u: URL, w: WKWebView) throws {
                    let t = try String(contentsOf: u)
                w.loadHTMLString(t, baseURL: nil) }
                """#,
            good: #"""
                func f(w: WKWebView) { w.loadHTMLString("<b>a</b>", baseURL: nil) }
                """#),
        Rule(
            "WEB-JS", .error, cwe: 94, maswe: "MASWE-0035", masvs: "MASVS-PLATFORM-2", tr: ["O.Plat_8", "O.Arch_8"],
            claim: "Foreign text runs as a program.",
            mend: "Use callAsyncJavaScript with arguments.",
            bad: #"""
                func f(u: URL, w: WKWebView) throws {
                    let t = try String(contentsOf: u)
                w.evaluateJavaScript(t) }
                """#,
            good: #"""
                func f(w: WKWebView) { w.evaluateJavaScript("1") }
                """#),
        Rule(
            "WEB-URL", .warning, cwe: 939, maswe: "MASWE-0033", masvs: "MASVS-PLATFORM-2",
            tr: ["O.Plat_10", "O.Source_1"],
            claim: "A page of anybody's choice is shown as a part of the app, with its cookies and script handlers.",
            mend: "Compare scheme and host with a list before the page is loaded.",
            bad: #"""
                func application(_ a: UIApplication, open url: URL, options: [String: Any]) -> Bool {
                    webView.load(URLRequest(url: url))
                return true }
                """#,
            good: #"""
                func application(_ a: UIApplication, open url: URL, options: [String: Any]) -> Bool {
                    guard url.scheme == "https", url.host == "shop.example" else { return false }
                webView.load(URLRequest(url: url))
                return true }
                """#),
        Rule(
            "WEB-FILES", .warning, cwe: 749, maswe: "MASWE-0033", masvs: "MASVS-PLATFORM-2",
            tr: ["O.Plat_8", "O.Plat_10"],
            claim: "Pages reach what is the app's.",
            mend: "Use WKWebView with file access off.",
            bad: #"""
                func f() { let w = UIWebView(); use(w) }
                """#,
            good: #"""
                func f() { let w = WKWebView(); use(w) }
                """#),
        Rule(
            "PASTE-GENERAL", .warning, cwe: 200, maswe: "MASWE-0030", masvs: "MASVS-PLATFORM-1", tr: ["O.Data_11"],
            claim: "Every app reads the general pasteboard.",
            mend: "Do not copy it, or set localOnly and an expiry.",
            bad: #"""
                func f(password: String) { UIPasteboard.general.string = password }
                """#,
            good: #"""
                func f(link: String) { UIPasteboard.general.string = link }
                """#),
        Rule(
            "CAPTURE-LIBRARY", .note, cwe: 359, maswe: "MASWE-0002", masvs: "MASVS-STORAGE-2",
            tr: ["O.Data_4", "O.Data_9"],
            claim: "Pictures and films of the photo library are read by other apps, and go to the person's cloud.",
            mend: "Keep captures in the app's own protected files; let the person export them.",
            bad: #"""
                func f(i: UIImage) { UIImageWriteToSavedPhotosAlbum(i, nil, nil, nil) }
                """#,
            good: #"""
                func f(i: UIImage) { keep(i) }
                """#),
        Rule(
            "FIELD-PLAIN", .warning, cwe: 549, maswe: "MASWE-0036", masvs: "MASVS-PLATFORM-3", tr: ["O.Data_10"],
            claim: "The field shows and learns what is typed.",
            mend: "Use SecureField.",
            bad: #"""
                struct V { var password = ""; var b: Int { TextField("p", text: $password); return 1 } }
                """#,
            good: #"""
                struct V { var password = ""; var b: Int { SecureField("p", text: $password); return 1 } }
                """#),
        Rule(
            "NOTIFY-CONTENT", .warning, cwe: 200, maswe: "MASWE-0037", masvs: "MASVS-PLATFORM-3",
            tr: ["O.Plat_4", "O.Plat_5"],
            claim: "Notifications show on the locked screen.",
            mend: "Say that something is new, not what.",
            bad: #"""
                func f(diagnosis: String) { let c = UNMutableNotificationContent(); c.body = diagnosis }
                """#,
            good: #"""
                func f(news: String) { let c = UNMutableNotificationContent(); c.body = news }
                """#),
        Rule(
            "BIO-BOOLEAN", .warning, cwe: 287, maswe: "MASWE-0020", masvs: "MASVS-AUTH-2", tr: ["O.Auth_3"],
            claim: "A Boolean can be turned in memory.",
            mend: "Bind a key to the person with SecAccessControl, or use AppLock.",
            bad: #"""
                func f(c: LAContext) {
                    c.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "a") { ok, _ in use(ok) } }
                """#,
            good: #"""
                func f(c: LAContext, q: [CFString: Any]) {
                    var q = q
                q[kSecUseAuthenticationContext] = c
                use(SecItemCopyMatching(q as CFDictionary, nil)) }
                """#),
        Rule(
            "BIO-ENROLMENT", .note, cwe: 287, maswe: "MASWE-0021", masvs: "MASVS-AUTH-2", tr: ["O.Auth_5"],
            claim: "A face or finger enrolled later opens it too.",
            mend: "Use .biometryCurrentSet.",
            bad: #"""
                let flags: SecAccessControlCreateFlags = .biometryAny
                """#,
            good: #"""
                let flags: SecAccessControlCreateFlags = .biometryCurrentSet
                """#),
    ]
}
