internal import Foundation

/// Property lists, entitlements and privacy manifests. A finding names keys, never values.
struct PropertyListAnalyzer {
    private let bytes: [UInt8]
    private let file: String
    private let below: String
    private let kind: FileKind
    private let text: String
    private var findings: [Finding] = []
    private var facts: [String] = []

    init(_ bytes: [UInt8], file: String, below: String, kind: FileKind) {
        self.bytes = bytes
        self.file = file
        self.below = below
        self.kind = kind
        text = bytes.starts(with: Array("bplist".utf8)) ? "" : String(decoding: bytes, as: UTF8.self)
    }

    func report() -> FileReport {
        let lines = text.isEmpty ? 1 : text.utf8.count { $0 == 10 } + 1
        if bytes.count > FileKind.limit(file) { return FileReport(file: file, lines: lines, notAnalysed: "TOO-LARGE") }
        if Self.isDeep(bytes) { return FileReport(file: file, lines: lines, notAnalysed: "BRACKETS") }
        var read = try? unsafe PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil)
        if read == nil, !text.isEmpty {
            // Apple's parser skips attributes of elements, Foundation's here refuses them.
            let plain = Data(Self.withoutAttributes(bytes))
            read = try? unsafe PropertyListSerialization.propertyList(from: plain, options: [], format: nil)
        }
        guard let root = read as? [String: Any] else {
            // A list of other things, as some apps keep, is no configuration; what cannot be read is said.
            return FileReport(file: file, lines: lines, notAnalysed: read == nil ? "PARSE-ERROR" : nil)
        }
        var copy = self
        var budget = 20_000
        copy.secrets(root, [], &budget)
        if budget <= 0 { return FileReport(file: file, lines: lines, notAnalysed: "TOO-LARGE") }
        switch kind {
        case .propertyList: copy.information(root)
        case .entitlements: copy.entitlements(root)
        case .privacyManifest: copy.manifest(root)
        case .swift, .project, .resource: break
        }
        for (path, message, severity) in MisplacedKeys(kind, file).found(in: root) {
            copy.add("PLIST-MISPLACED", path, message, severity)
        }
        let isTest = TestCode.isPlace(below)
        let found = copy.findings.map { finding in
            var finding = finding
            finding.testCode = isTest ? true : nil
            return finding
        }
        return FileReport(
            file: file, lines: lines, findings: found.sorted { ($0.line, $0.rule) < ($1.line, $1.rule) },
            notAnalysed: nil, facts: isTest ? [] : copy.facts)
    }

    /// More than 64 containers in each other, before the system's parser recurses over them.
    private static func isDeep(_ bytes: [UInt8]) -> Bool {
        var depth = 0
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "<") && index + 1 < bytes.count {
            let rest = bytes[(index + 1)...].prefix(6)
            if rest.starts(with: Array("dict>".utf8)) || rest.starts(with: Array("array>".utf8)) { depth += 1 }
            if rest.starts(with: Array("/dict".utf8)) || rest.starts(with: Array("/array".utf8)) { depth -= 1 }
            if depth > 64 { return true }
        }
        return false
    }

    /// The bytes with the attributes of `key`, `string` and containers left out.
    private static func withoutAttributes(_ bytes: [UInt8]) -> [UInt8] {
        let names = ["key", "string", "dict", "array", "integer"].map { Array("<\($0) ".utf8) }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<"), let name = names.first(where: { bytes[index...].starts(with: $0) }),
                let end = bytes[index...].firstIndex(of: UInt8(ascii: ">")),
                !bytes[index..<end].contains(UInt8(ascii: "/")) || bytes[index..<end].contains(UInt8(ascii: "\""))
            {
                result += name.dropLast()
                if bytes[end - 1] == UInt8(ascii: "/") { result.append(UInt8(ascii: "/")) }
                index = end
            }
            result.append(bytes[index])
            index += 1
        }
        return result
    }

    private mutating func add(_ rule: String, _ path: [String], _ message: String, _ severity: Severity? = nil) {
        guard let entry = Catalogue.byID[rule] else { return }
        let key = path.joined(separator: " › ")
        findings.append(
            Finding(
                rule: rule, severity: severity ?? entry.severity, file: file, line: line(of: path),
                message: message, excerpt: key, identity: SHA256.hex("\(rule)|\(key)")))
    }

    /// The line of the last key of `path`, searched key after key; 1 in a binary file.
    private func line(of path: [String]) -> Int {
        var start = text.startIndex
        for key in path {
            guard let range = text.range(of: "<key>\(key)</key>", range: start..<text.endIndex) else { continue }
            start = range.lowerBound
        }
        return text[..<start].utf8.count { $0 == 10 } + 1
    }

    private mutating func secrets(_ value: Any, _ path: [String], _ budget: inout Int) {
        budget -= 1
        guard budget > 0, path.count < 64 else {
            budget = 0
            return
        }
        if let dictionary = value as? [String: Any] {
            for (key, inner) in dictionary.sorted(by: { $0.key < $1.key }) { secrets(inner, path + [key], &budget) }
        } else if let list = value as? [Any] {
            for inner in list { secrets(inner, path, &budget) }
        } else if let text = value as? String, SecretShape.isSecret(text, name: path.last ?? "") {
            add(
                "SECRET-RESOURCE", path, "a secret is part of the app's resources",
                SecretShape.isPublic(text) || SecretShape.namesClient(path.last ?? "") || SecretShape.isOfCounter(path)
                    ? .note : nil)
        }
    }

    private static func isOn(_ value: Any?) -> Bool { value as? Bool == true || value as? String == "YES" }

    private mutating func information(_ root: [String: Any]) {
        // What a framework's list says of connections, links and questions holds for no app.
        if below.contains(".framework/") || root["CFBundlePackageType"] as? String == "FMWK" { return }
        if root["CFBundleIdentifier"] != nil || root["CFBundleExecutable"] != nil { facts.append("application") }
        let ats = "NSAppTransportSecurity"
        // What the app says of itself, and no list of something else.
        if root[ats] != nil || root.keys.contains(where: { $0.hasPrefix("CFBundle") }) { facts.append("information") }
        // A translation of the list changes texts alone.
        let isTranslation = below.contains(".lproj/") && !below.contains("Base.lproj/")
        if !isTranslation, let settings = root[ats] as? [String: Any] { transport(settings, ats) }
        let isShared = Self.isOn(root["UIFileSharingEnabled"])
        if isShared {
            add("FILE-SHARED", ["UIFileSharingEnabled"], "other apps and computers read the app's documents")
        }
        // Alone it lets the app open what is elsewhere.
        if !isShared, Self.isOn(root["LSSupportsOpeningDocumentsInPlace"]) {
            add("FILE-SHARED", ["LSSupportsOpeningDocumentsInPlace"], "documents are opened where they are", .note)
        }
        for case let type as [String: Any] in root["CFBundleURLTypes"] as? [Any] ?? [] {
            for case let scheme as String in type["CFBundleURLSchemes"] as? [Any] ?? [] where !scheme.isEmpty {
                add("LINK-SCHEME", ["CFBundleURLTypes", "CFBundleURLSchemes"], "another app may claim the scheme too")
                break
            }
        }
        for (key, value) in root where key.hasPrefix("NS") && key.hasSuffix("UsageDescription") {
            if (value as? String)?.allSatisfy(\.isWhitespace) == true {
                add("PRIVACY-PURPOSE", [key], "the question for access gives no reason")
            }
        }
    }

    private mutating func transport(_ settings: [String: Any], _ ats: String) {
        if (settings["NSPinnedDomains"] as? [String: Any])?.isEmpty == false { facts.append("has:pin:1") }
        // A text is no truth value here: the system does not use it, as `pavise ats lint` says.
        func isOn(_ value: Any?) -> Bool { !(value is String) && Self.isOn(value) }
        let narrow = ["NSAllowsArbitraryLoadsForMedia", "NSAllowsArbitraryLoadsInWebContent"]
        let silencing = (narrow + ["NSAllowsLocalNetworking"]).filter {
            !(settings[$0] is String) && settings[$0] as? Bool != nil
        }
        if isOn(settings["NSAllowsArbitraryLoads"]) {
            let path = [ats, "NSAllowsArbitraryLoads"]
            if let key = silencing.first {
                add("ATS-SHADOWED", path, "\(key) silences the key from iOS 10 on: it counts on iOS 9 alone")
            } else {
                add("ATS-ARBITRARY", path, "every connection may be plain or badly encrypted")
            }
        }
        for key in narrow.reversed() where isOn(settings[key]) {
            add("ATS-CONTENT", [ats, key], "a kind of content is loaded without transport security")
        }
        let domains = settings["NSExceptionDomains"] as? [String: Any] ?? [:]
        for (domain, value) in domains.sorted(by: { $0.key < $1.key }) {
            guard let entry = value as? [String: Any] else { continue }
            let path = [ats, "NSExceptionDomains", domain]
            // Tor encrypts, whatever the address says.
            if ["localhost", "127.0.0.1", "onion"].contains(domain) || domain.hasSuffix(".local") { continue }
            if domain.hasSuffix(".onion") { continue }
            if let why = Self.whyDead(domain) {
                // A misplaced setting as the name of a domain is told as such.
                if !domain.hasPrefix("NS") {
                    add("PLIST-MISPLACED", path, "the name of the domain holds \(why): it matches no host", .note)
                }
                continue
            }
            for key in ["NSExceptionAllowsInsecureHTTPLoads", "NSThirdPartyExceptionAllowsInsecureHTTPLoads"]
            where isOn(entry[key]) {
                add("ATS-EXCEPTION", path + [key], "connections to this domain may be plain http")
            }
            for key in ["NSExceptionMinimumTLSVersion", "NSThirdPartyExceptionMinimumTLSVersion"]
            where ["TLSv1.0", "TLSv1.1"].contains(entry[key] as? String ?? "") {
                add("ATS-EXCEPTION", path + [key], "an outdated version of TLS is enough")
            }
            for key in ["NSExceptionRequiresForwardSecrecy", "NSThirdPartyExceptionRequiresForwardSecrecy"]
            where !(entry[key] is String) && entry[key] as? Bool == false {
                add("ATS-EXCEPTION", path + [key], "recorded connections can be read later")
            }
        }
    }

    /// What the name of a domain holds that no host has; names are compared byte for byte.
    private static func whyDead(_ name: String) -> String? {
        if name.contains("://") { return "a scheme" }
        if name.isEmpty || name.contains(where: \.isWhitespace) { return "a blank" }
        if !name.utf8.allSatisfy({ $0 < 128 }) { return "letters outside ASCII" }
        if name.contains("*") { return "a wildcard" }
        if name.hasPrefix(".") || name.contains("..") { return "an empty label" }
        // Addresses of IPv6 and ranges have colons and slashes.
        let isAddress = name.contains("/") || name.count(where: { $0 == ":" }) > 1
        if !isAddress, name.contains(":") { return "a port" }
        return !isAddress && name.contains { "A"..."Z" ~= $0 } ? "capitals" : nil
    }

    private mutating func entitlements(_ root: [String: Any]) {
        for key in ["get-task-allow", "com.apple.security.get-task-allow"] where Self.isOn(root[key]) {
            add("DEBUG-SWITCH", [key], "a debugger may attach")
        }
        let protection = "com.apple.developer.default-data-protection"
        if root[protection] as? String == "NSFileProtectionNone" {
            add("FILE-DEFAULT-CLASS", [protection], "files are readable on a locked device")
        }
        let groups = root["keychain-access-groups"] as? [Any] ?? []
        let names = groups.compactMap { $0 as? String }
        if names.contains(where: { $0 == "*" || $0.hasSuffix(".*") || $0.hasSuffix(")*") }) {
            add("KEYCHAIN-GROUP", ["keychain-access-groups"], "every app of the team reads the items", .warning)
        } else if names.count > 1 {
            add("KEYCHAIN-GROUP", ["keychain-access-groups"], "items are shared between apps")
        }
        let shared = "com.apple.security.application-groups"
        if (root[shared] as? [Any])?.isEmpty == false {
            add("FILE-SHARED", [shared], "each program of the group reads its folder and preferences", .note)
        }
        let domains = "com.apple.developer.associated-domains"
        if (root[domains] as? [Any] ?? []).contains(where: { ($0 as? String)?.contains("?mode=developer") == true }) {
            let isDebug = file.split(separator: "/").last?.lowercased().contains("debug") == true
            add(
                "LINK-DEVELOPER", [domains], "links are taken from a server that Apple does not check",
                isDebug ? .note : nil)
        }
        for key in [
            "com.apple.security.cs.disable-library-validation",
            "com.apple.security.cs.allow-dyld-environment-variables",
            "com.apple.security.cs.allow-unsigned-executable-memory",
            "com.apple.security.cs.disable-executable-page-protection",
        ] where Self.isOn(root[key]) {
            add("RUNTIME-OPEN", [key], "foreign code runs inside the app")
        }
    }

    private mutating func manifest(_ root: [String: Any]) {
        let list = "NSPrivacyAccessedAPITypes"
        for case let entry as [String: Any] in root[list] as? [Any] ?? [] {
            let category = entry["NSPrivacyAccessedAPIType"] as? String ?? ""
            let given = (entry["NSPrivacyAccessedAPITypeReasons"] as? [Any] ?? []).compactMap { $0 as? String }
            let known = PrivacyReasons.reasons[category]
            if known != nil { facts.append("reason:\(category)") }
            if given.isEmpty || known.map({ !$0.isSuperset(of: given) }) ?? true {
                add("PRIVACY-REASON", [list], "a category has no reason, or one that does not exist")
            }
        }
        facts.append("manifest")
        if Self.isOn(root["NSPrivacyTracking"]), (root["NSPrivacyTrackingDomains"] as? [Any] ?? []).isEmpty {
            add("PRIVACY-TRACKING", ["NSPrivacyTracking"], "tracking is declared without its domains")
        }
    }
}
