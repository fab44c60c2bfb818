extension Catalogue {
    static let propertyLists: [Rule] = [
        Rule(
            "ATS-ARBITRARY", .error, cwe: 319, maswe: "MASWE-0026", masvs: "MASVS-NETWORK-1", tr: ["O.Ntwk_7"],
            claim: "Without transport security every connection may be read and changed.",
            mend: "Remove NSAllowsArbitraryLoads; name single domains if you must.",
            bad: #"""
                <plist version="1.0"><dict>
                <key>NSAppTransportSecurity</key><dict>
                <key>NSAllowsArbitraryLoads</key><true/>
                </dict>
                </dict></plist>
                """#,
            good: #"""
                <plist version="1.0"><dict>
                <key>NSAppTransportSecurity</key><dict>
                <key>NSAllowsArbitraryLoads</key><false/>
                </dict>
                </dict></plist>
                """#, kind: .propertyList),
        Rule(
            "ATS-SHADOWED", .warning, cwe: 319, maswe: "MASWE-0026", masvs: "MASVS-NETWORK-1", tr: ["O.Ntwk_7"],
            claim: "A narrower key silences NSAllowsArbitraryLoads, except on iOS 9: it promises what it does not do.",
            mend: "Delete NSAllowsArbitraryLoads unless the app runs on iOS 9 or macOS 10.11.",
            bad: #"""
                <plist version="1.0"><dict>
                <key>NSAppTransportSecurity</key><dict>
                <key>NSAllowsArbitraryLoads</key><true/><key>NSAllowsLocalNetworking</key><true/>
                </dict>
                </dict></plist>
                """#,
            good: #"""
                <plist version="1.0"><dict>
                <key>NSAppTransportSecurity</key><dict>
                <key>NSAllowsLocalNetworking</key><true/>
                </dict>
                </dict></plist>
                """#, kind: .propertyList),
        Rule(
            "ATS-CONTENT", .warning, cwe: 319, maswe: "MASWE-0026", masvs: "MASVS-NETWORK-1", tr: ["O.Ntwk_7"],
            claim: "Web pages or media come over connections that others read and change.",
            mend: "Remove the key, or name single domains.",
            bad: #"""
                <plist version="1.0"><dict>
                <key>NSAppTransportSecurity</key><dict>
                <key>NSAllowsArbitraryLoadsInWebContent</key><true/>
                </dict>
                </dict></plist>
                """#,
            good: #"""
                <plist version="1.0"><dict>
                <key>NSAppTransportSecurity</key><dict>
                <key>NSAllowsLocalNetworking</key><true/>
                </dict>
                </dict></plist>
                """#, kind: .propertyList),
        Rule(
            "ATS-EXCEPTION", .warning, cwe: 319, maswe: "MASWE-0026", masvs: "MASVS-NETWORK-1",
            tr: ["O.Ntwk_7", "O.Ntwk_2"],
            claim: "An exception makes connections to a domain readable.",
            mend: "Mend the server and remove the exception.",
            bad: #"""
                <plist version="1.0"><dict>
                <key>NSAppTransportSecurity</key><dict>
                <key>NSExceptionDomains</key><dict><key>a.example</key><dict>
                <key>NSExceptionAllowsInsecureHTTPLoads</key><true/>
                </dict></dict>
                </dict>
                </dict></plist>
                """#,
            good: #"""
                <plist version="1.0"><dict>
                <key>NSAppTransportSecurity</key><dict>
                <key>NSExceptionDomains</key><dict><key>a.example</key><dict>
                <key>NSExceptionMinimumTLSVersion</key><string>TLSv1.3</string>
                </dict></dict>
                </dict>
                </dict></plist>
                """#, kind: .propertyList),
        Rule(
            "PLIST-MISPLACED", .warning, cwe: 693, maswe: "MASWE-0026", masvs: "MASVS-NETWORK-1",
            tr: ["O.Ntwk_7"],
            claim: "A key in the wrong dictionary or file, or with a line break in its name, is read by nobody.",
            mend: "Move it to where the system reads it, and look at the built app's property list.",
            bad: #"""
                <plist version="1.0"><dict>
                <key>NSPinnedDomains</key><dict>
                <key>a.example</key><dict><key>NSPinnedCAIdentities</key><array></array></dict>
                </dict>
                </dict></plist>
                """#,
            good: #"""
                <plist version="1.0"><dict>
                <key>NSAppTransportSecurity</key><dict>
                <key>NSPinnedDomains</key><dict>
                <key>a.example</key><dict><key>NSPinnedCAIdentities</key><array></array></dict>
                </dict>
                </dict>
                </dict></plist>
                """#, kind: .propertyList),
        Rule(
            "FILE-SHARED", .warning, cwe: 552, maswe: "MASWE-0002", masvs: "MASVS-STORAGE-1", tr: ["O.Data_4"],
            claim: "The Documents folder is open to other apps and to computers.",
            mend: "Keep sensitive files in Application Support, or remove the key.",
            bad: #"""
                <plist version="1.0"><dict>
                <key>UIFileSharingEnabled</key><true/>
                </dict></plist>
                """#,
            good: #"""
                <plist version="1.0"><dict>
                <key>UIFileSharingEnabled</key><false/>
                </dict></plist>
                """#, kind: .propertyList),
        Rule(
            "LINK-SCHEME", .note, cwe: 939, maswe: "MASWE-0029", masvs: "MASVS-PLATFORM-1",
            tr: ["O.Source_1", "O.Arch_5"],
            claim: "Any app may register the same scheme and take its links.",
            mend: "Use universal links for logins and whatever is secret.",
            bad: #"""
                <plist version="1.0"><dict>
                <key>CFBundleURLTypes</key><array><dict>
                <key>CFBundleURLSchemes</key><array><string>shop</string></array>
                </dict></array>
                </dict></plist>
                """#,
            good: #"""
                <plist version="1.0"><dict>
                <key>CFBundleURLTypes</key><array><dict>
                <key>CFBundleURLSchemes</key><array></array>
                </dict></array>
                </dict></plist>
                """#, kind: .propertyList),
        Rule(
            "PRIVACY-PURPOSE", .warning, cwe: 359, maswe: "MASWE-0073", masvs: "MASVS-PRIVACY-3",
            tr: ["O.Plat_3", "O.Purp_2"],
            claim: "A person cannot judge a request that gives no reason.",
            mend: "Write what for in one sentence.",
            bad: #"""
                <plist version="1.0"><dict>
                <key>NSCameraUsageDescription</key><string> </string>
                </dict></plist>
                """#,
            good: #"""
                <plist version="1.0"><dict>
                <key>NSCameraUsageDescription</key><string>To scan your code.</string>
                </dict></plist>
                """#, kind: .propertyList),
        Rule(
            "SECRET-RESOURCE", .error, cwe: 798, maswe: "MASWE-0004", masvs: "MASVS-STORAGE-1", tr: ["O.Cryp_1"],
            claim: "Whoever unpacks the app reads its resources.",
            mend: "Let the server keep the secret, or hand it out after a login.",
            bad: #"""
                <plist version="1.0"><dict>
                <key>ShopAPIKey</key><string>k9Xq2LmP7vRt5w8Zb</string>
                </dict></plist>
                """#,
            good: #"""
                <plist version="1.0"><dict>
                <key>ShopAPIKey</key><string>$(SERVICE_KEY)</string>
                </dict></plist>
                """#, kind: .propertyList),
        Rule(
            "DEBUG-SWITCH", .warning, cwe: 489, maswe: "MASWE-0061", masvs: "MASVS-RESILIENCE-4", tr: ["O.Source_8"],
            claim: "A debugger reads and changes the running app.",
            mend: "Leave it to Xcode, which sets it for development only.",
            bad: #"""
                <plist version="1.0"><dict>
                <key>get-task-allow</key><true/>
                </dict></plist>
                """#,
            good: #"""
                <plist version="1.0"><dict>
                <key>get-task-allow</key><false/>
                </dict></plist>
                """#, kind: .entitlements),
        Rule(
            "FILE-DEFAULT-CLASS", .error, cwe: 311, maswe: "MASWE-0001", masvs: "MASVS-STORAGE-1", tr: ["O.Data_14"],
            claim: "The default for new files leaves them readable on a locked device.",
            mend: "Set NSFileProtectionComplete.",
            bad: #"""
                <plist version="1.0"><dict>
                <key>com.apple.developer.default-data-protection</key><string>NSFileProtectionNone</string>
                </dict></plist>
                """#,
            good: #"""
                <plist version="1.0"><dict>
                <key>com.apple.developer.default-data-protection</key><string>NSFileProtectionComplete</string>
                </dict></plist>
                """#, kind: .entitlements),
        Rule(
            "KEYCHAIN-GROUP", .note, cwe: 522, maswe: "MASWE-0016", masvs: "MASVS-CRYPTO-2",
            tr: ["O.Data_3", "O.Data_4"],
            claim: "Each app of a group reads the items of all.",
            mend: "Share a group of its own for what is shared, and name the group in each call.",
            bad: #"""
                <plist version="1.0"><dict>
                <key>keychain-access-groups</key><array><string>T.a</string><string>T.b</string></array>
                </dict></plist>
                """#,
            good: #"""
                <plist version="1.0"><dict>
                <key>keychain-access-groups</key><array><string>T.a</string></array>
                </dict></plist>
                """#, kind: .entitlements),
        Rule(
            "LINK-DEVELOPER", .warning, cwe: 939, maswe: "MASWE-0029", masvs: "MASVS-PLATFORM-1",
            tr: ["O.Source_8", "O.Arch_5"],
            claim: "Developer mode takes links from any server.",
            mend: "Remove ?mode=developer before release.",
            bad: #"""
                <plist version="1.0"><dict>
                <key>com.apple.developer.associated-domains</key><array><string>applinks:a.example?mode=developer</string></array>
                </dict></plist>
                """#,
            good: #"""
                <plist version="1.0"><dict>
                <key>com.apple.developer.associated-domains</key><array><string>applinks:a.example</string></array>
                </dict></plist>
                """#, kind: .entitlements),
        Rule(
            "RUNTIME-OPEN", .warning, cwe: 693, maswe: "MASWE-0063", masvs: "MASVS-RESILIENCE-4", tr: ["O.Resi_7"],
            claim: "The hardened runtime is open for foreign code.",
            mend: "Remove the entitlement.",
            bad: #"""
                <plist version="1.0"><dict>
                <key>com.apple.security.cs.disable-library-validation</key><true/>
                </dict></plist>
                """#,
            good: #"""
                <plist version="1.0"><dict>
                <key>com.apple.security.app-sandbox</key><true/>
                </dict></plist>
                """#, kind: .entitlements),
        Rule(
            "PRIVACY-REASON", .warning, cwe: 359, maswe: "MASWE-0073", masvs: "MASVS-PRIVACY-3",
            tr: ["O.Purp_2", "O.Plat_3"],
            claim: "The manifest gives no valid reason for an API.",
            mend: "Give one of the reasons that Apple lists for the category.",
            bad: #"""
                <plist version="1.0"><dict>
                <key>NSPrivacyAccessedAPITypes</key><array><dict>
                <key>NSPrivacyAccessedAPIType</key><string>NSPrivacyAccessedAPICategoryDiskSpace</string>
                <key>NSPrivacyAccessedAPITypeReasons</key><array></array>
                </dict></array>
                </dict></plist>
                """#,
            good: #"""
                <plist version="1.0"><dict>
                <key>NSPrivacyAccessedAPITypes</key><array><dict>
                <key>NSPrivacyAccessedAPIType</key><string>NSPrivacyAccessedAPICategoryDiskSpace</string>
                <key>NSPrivacyAccessedAPITypeReasons</key><array><string>E174.1</string></array>
                </dict></array>
                </dict></plist>
                """#, kind: .privacyManifest),
        Rule(
            "PRIVACY-TRACKING", .warning, cwe: 359, maswe: "MASWE-0073", masvs: "MASVS-PRIVACY-2", tr: ["O.Purp_2"],
            claim: "Tracking without its domains cannot be stopped by the system.",
            mend: "List NSPrivacyTrackingDomains.",
            bad: #"""
                <plist version="1.0"><dict>
                <key>NSPrivacyTracking</key><true/>
                </dict></plist>
                """#,
            good: #"""
                <plist version="1.0"><dict>
                <key>NSPrivacyTracking</key><false/>
                </dict></plist>
                """#, kind: .privacyManifest),
        Rule(
            "PRIVACY-MANIFEST", .warning, cwe: 359, maswe: "MASWE-0073", masvs: "MASVS-PRIVACY-3",
            tr: ["O.Purp_2", "O.Plat_3"],
            claim: "An app uses an API that needs a reason and no privacy manifest of the tree gives one.",
            mend: "Add the category and its reason to PrivacyInfo.xcprivacy.",
            bad: "let a = UserDefaults.standard", good: "let a = 1", kind: .privacyManifest),
    ]
}
