/// Keys that the system does not read where they stand: in another dictionary or another file than theirs, or with
/// spaces or line breaks in their name. What they ask for does not happen.
struct MisplacedKeys {
    typealias Place = (path: [String], message: String, severity: Severity)

    private let kind: FileKind
    private let file: String
    private let transport = "NSAppTransportSecurity"

    init(_ kind: FileKind, _ file: String) {
        self.kind = kind
        self.file = file
    }

    func found(in root: [String: Any]) -> [Place] {
        var places: [Place] = []
        // A list of the app's own may have keys of any name.
        let isInformation =
            file.hasSuffix("Info.plist") || root[transport] != nil || root.keys.contains { $0.hasPrefix("CFBundle") }
        guard kind != .propertyList || isInformation else { return [] }
        for key in root.keys.sorted() {
            let name = Self.trimmed(key)
            if name != key, Self.isKnown(name) {
                places.append(([key], "the key's name has spaces around it: nobody reads it", .warning))
            } else if Self.settings.contains(name) || Self.domainKeys.contains(name) || Self.pinKeys.contains(name) {
                places.append(place([key], "stands outside of \(transport)"))
            } else if let home = home(of: name), home != kind {
                places.append(place([key], "belongs in \(Self.spoken(home))"))
            }
        }
        if kind == .propertyList {
            if let settings = root[transport] as? [String: Any] { places += transportPlaces(settings) }
            places += nested(root, [], 0)
        }
        return places
    }

    private func transportPlaces(_ settings: [String: Any]) -> [Place] {
        var places: [Place] = []
        for key in settings.keys.sorted() {
            let name = Self.trimmed(key)
            if name != key, Self.isKnown(name) {
                places.append(([transport, key], "the key's name has spaces around it: nobody reads it", .warning))
            } else if Self.domainKeys.contains(name) || Self.pinKeys.contains(name) {
                places.append(place([transport, key], "stands outside of a domain"))
            }
        }
        places += domains(settings, "NSExceptionDomains", not: Self.settings.union(Self.pinKeys))
        let notPinned = Self.settings.union(Self.domainKeys).subtracting(["NSIncludesSubdomains"])
        return places + domains(settings, "NSPinnedDomains", not: notPinned)
    }

    private func domains(_ settings: [String: Any], _ list: String, not others: Set<String>) -> [Place] {
        var places: [Place] = []
        guard let domains = settings[list] as? [String: Any] else { return [] }
        for domain in domains.keys.sorted() {
            if Self.isKnown(domain) {
                places.append(place([transport, list, domain], "stands where the name of a domain belongs"))
            }
            guard let entry = domains[domain] as? [String: Any] else { continue }
            for key in entry.keys.sorted() where others.contains(key) {
                places.append(place([transport, list, domain, key], "is no setting of a domain of \(list)"))
            }
        }
        return places
    }

    /// The dictionary of transport security below another key.
    private func nested(_ node: [String: Any], _ path: [String], _ depth: Int) -> [Place] {
        guard depth < 8 else { return [] }
        var places: [Place] = []
        for key in node.keys.sorted() where depth > 0 || key != transport {
            if depth > 0, key == transport { places.append(place(path + [key], "stands below another key")) }
            if let inner = node[key] as? [String: Any] { places += nested(inner, path + [key], depth + 1) }
        }
        return places
    }

    private func place(_ path: [String], _ what: String) -> Place {
        let key = path.last ?? ""
        let protects = Self.protections.contains { key.hasPrefix($0) }
        let effect = protects ? "what it protects is not protected" : "it has no effect"
        return (path, "\(key) \(what): \(effect)", protects ? .warning : .note)
    }

    private func home(of name: String) -> FileKind? {
        if name == transport || Self.information.contains(name) || name.hasSuffix("UsageDescription") {
            return .propertyList
        }
        if Self.entitlements.contains(name) || name.hasPrefix("com.apple.developer.")
            || name.hasPrefix("com.apple.security.")
        {
            return .entitlements
        }
        return Self.manifest.contains(name) ? .privacyManifest : nil
    }

    private static func spoken(_ kind: FileKind) -> String {
        switch kind {
        case .entitlements: "the entitlements"
        case .privacyManifest: "the privacy manifest"
        default: "Info.plist"
        }
    }

    private static func isKnown(_ name: String) -> Bool {
        name == "NSAppTransportSecurity" || settings.contains(name) || domainKeys.contains(name)
            || pinKeys.contains(name) || information.contains(name) || entitlements.contains(name)
            || manifest.contains(name)
    }

    private static func trimmed(_ key: String) -> String {
        var rest = key[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }

    private static let settings: Set = [
        "NSAllowsArbitraryLoads", "NSAllowsArbitraryLoadsForMedia", "NSAllowsArbitraryLoadsInWebContent",
        "NSAllowsLocalNetworking", "NSExceptionDomains", "NSPinnedDomains",
    ]
    private static let domainKeys: Set = [
        "NSIncludesSubdomains", "NSExceptionAllowsInsecureHTTPLoads", "NSExceptionMinimumTLSVersion",
        "NSExceptionRequiresForwardSecrecy", "NSRequiresCertificateTransparency",
        "NSThirdPartyExceptionAllowsInsecureHTTPLoads", "NSThirdPartyExceptionMinimumTLSVersion",
        "NSThirdPartyExceptionRequiresForwardSecrecy",
    ]
    private static let pinKeys: Set = ["NSPinnedCAIdentities", "NSPinnedLeafIdentities"]
    private static let information: Set = [
        "UIFileSharingEnabled", "LSSupportsOpeningDocumentsInPlace", "CFBundleURLTypes",
        "ITSAppUsesNonExemptEncryption",
    ]
    private static let entitlements: Set = ["keychain-access-groups", "get-task-allow", "aps-environment"]
    private static let manifest: Set = [
        "NSPrivacyTracking", "NSPrivacyTrackingDomains", "NSPrivacyAccessedAPITypes", "NSPrivacyCollectedDataTypes",
    ]
    /// Keys that tighten what the system does, or say what is kept apart.
    private static let protections = [
        "NSPinned", "NSExceptionMinimumTLSVersion", "NSExceptionRequiresForwardSecrecy",
        "NSRequiresCertificateTransparency", "com.apple.developer.default-data-protection", "keychain-access-groups",
        "com.apple.security.app-sandbox", "NSAppTransportSecurity", "NSPrivacy",
    ]
}
