internal import PavisePrimitives
internal import PaviseTransport

extension FuzzTarget {
    static let ats = [propertyListXML, propertyListBinary, atsConfiguration, atsAddressRange]

    private static let atsKeys = """
        <dict><key>NSAllowsArbitraryLoads</key><true/><key>NSAllowsLocalNetworking</key><integer>0</integer>
        <key>NSExceptionDomains</key><dict><key>old.example</key><dict><key>NSExceptionMinimumTLSVersion</key>
        <string>TLSv1.1</string><key>NSIncludesSubdomains</key><true/></dict><key>10.0.0.0/08</key><dict/></dict>
        <key>NSPinnedDomains</key><dict><key>a.example</key><dict><key>NSPinnedLeafIdentities</key><array><dict>
        <key>SPKI-SHA256-BASE64</key><string>r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=</string></dict></array></dict></dict></dict>
        """

    private static let propertyListXML = FuzzTarget(
        text: "property-list-xml",
        seeds: [
            "<plist><dict><key>NSAppTransportSecurity</key>\(atsKeys)</dict></plist>",
            """
            <?xml version=\"1.0\"?><!DOCTYPE \
            plist><array><real>1e9</real><data>AAEC</data><date>2026-01-01T00:00:00Z</date></array>
            """,
            "<string>&#x41;&amp;<![CDATA[]]><!-- a --></string>",
        ]
    ) { text in check(Array(text.utf8)) }

    private static let propertyListBinary = FuzzTarget(
        "property-list-binary",
        seeds: {
            // A dictionary with one key, a string and a Boolean, and the trailer.
            let objects: [UInt8] = [0xD1, 1, 2, 0x51, 0x61, 0x09]
            let trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 3] + [0, 0, 0, 0, 0, 0, 0, 0]
            return [Array("bplist00".utf8) + objects + [8, 11, 13] + trailer + [0, 0, 0, 0, 0, 0, 0, 14]]
        }
    ) { bytes in check(Array("bplist00".utf8) + bytes.dropFirst(8)) }

    private static func check(_ bytes: [UInt8]) {
        var limits = PropertyListLimits()
        limits.values = 10_000
        guard let list = try? PropertyListValue.parse(bytes, limits: limits) else { return }
        require(depth(of: list) <= limits.depth, "a list is deeper than the limit")
        lint(list)
    }

    private static func depth(of value: PropertyListValue) -> Int {
        let inner = (value.array ?? []) + (value.members ?? []).map(\.value)
        return 1 + (inner.map { depth(of: $0) }.max() ?? 0)
    }

    // What is read the same twice, and no finding without words.
    private static func lint(_ list: PropertyListValue) {
        let findings = ATSLint.findings(in: list)
        require(findings == ATSLint.findings(in: list), "the linter says two things")
        require(findings.allSatisfy { !$0.text.isEmpty && !$0.path.isEmpty }, "a finding has no words or no place")
    }

    /// The first line is a host, the rest the keys.
    private static let atsConfiguration = FuzzTarget(
        text: "ats-configuration", seeds: ["x.old.example\n\(atsKeys)", "10.1.2.3\n\(atsKeys)", "::1\n<dict/>"]
    ) { text in
        let parts = text.split(separator: "\n", maxSplits: 1)
        guard parts.count == 2, let list = try? PropertyListValue.parse(Array(parts[1].utf8)) else { return }
        let configuration = ATSConfiguration(propertyList: list)
        let host = String(parts[0])
        for isAddress in [true, false] {
            for mode in ATSMode.allCases {
                let target = ATSTarget(host: host, isAddress: isAddress, isDirect: false)
                let http = ATSDecision(target, scheme: .http, configuration: configuration, mode: mode)
                let https = ATSDecision(target, scheme: .https, configuration: configuration, mode: mode)
                require(
                    https.isAllowed && http.isAllowed != http.isPlainHTTPBlocked,
                    "https is blocked, or http in two minds")
                require(http.parameters == https.parameters, "the scheme changes what https must keep")
                let isOff = http.exception == nil && http.isAllowed
                require(isOff == (https.parameters == .none), "ATS is off and still asks for something")
            }
        }
        lint(PropertyListValue(.dictionary([.init("NSAppTransportSecurity", list)])))
    }

    private static let atsAddressRange = FuzzTarget(
        text: "ats-address-range",
        seeds: ["10/8", "10.0.0.0/08", "2001:db8::/32", "::ffff:1.2.3.4/128", "1:2:3:4:5:6:7:8/64"]
    ) { text in
        guard let range = ATSAddressRange(text) else { return }
        require(range.contains(range.network), "a range does not hold its first address")
        require((0...(range.network.isVersion6 ? 128 : 32)).contains(range.prefix), "a prefix is too long")
    }
}
