/// A rule: what it claims, where it belongs in the standards, how it is mended, and an example of both.
package struct Rule: Sendable {
    package let id: String
    package let severity: Severity
    package let cwe: Int
    /// MASWE 1.0.0.
    package let maswe: String
    /// MASVS 2.1.0.
    package let masvs: String
    /// BSI TR-03161-1 3.0.
    package let tr: [String]
    package let claim: String
    package let mend: String
    package let bad: String
    package let good: String
    /// What is told as a note; empty for a rule that always has its severity.
    package let weighs: String
    /// The kind of file that the rule reads; for a rule over the whole tree, of the file that answers it.
    package let kind: FileKind
    /// The rule says that something is nowhere. Its silence shows nothing: it never supports a requirement.
    package let isAbsence: Bool

    init(
        _ id: String, _ severity: Severity, cwe: Int, maswe: String, masvs: String, tr: [String], claim: String,
        mend: String,
        bad: String, good: String, weighs: String = "", kind: FileKind = .swift, isAbsence: Bool = false
    ) {
        self.id = id
        self.severity = severity
        self.cwe = cwe
        self.maswe = maswe
        self.masvs = masvs
        self.tr = tr
        self.claim = claim
        self.mend = mend
        self.bad = bad
        self.good = good
        self.weighs = weighs
        self.kind = kind
        self.isAbsence = isAbsence
    }
}

/// What a file is, by its name.
package enum FileKind: String, Codable, Sendable {
    case swift, propertyList, entitlements, privacyManifest, project, resource

    package init?(path: String) {
        if path.hasSuffix(".swift") {
            self = .swift
        } else if path.hasSuffix(".plist") {
            self = .propertyList
        } else if path.hasSuffix(".entitlements") {
            self = .entitlements
        } else if path.hasSuffix(".xcprivacy") {
            self = .privacyManifest
        } else if path.hasSuffix("/project.pbxproj") || path == "project.pbxproj" {
            self = .project
        } else if Self.isResource(path.split(separator: "/").last.map(String.init) ?? path) {
            self = .resource
        } else {
            return nil
        }
    }

    private static let endings: Set = ["xcconfig", "strings", "json", "pem", "p12", "pfx", "env"]
    private static let lists: Set = ["Contents.json", "package-lock.json", "package.json"]

    private static func isResource(_ name: String) -> Bool {
        if name == ".env" || name.hasPrefix(".env.") { return true }
        guard let dot = name.lastIndex(of: ".") else { return false }
        return endings.contains(String(name[name.index(after: dot)...])) && !lists.contains(name)
    }

    /// The most bytes of a file at `path` that are read. The largest real source that was met has 1.2 MB.
    package static func limit(_ path: String) -> Int {
        switch FileKind(path: path) {
        case .swift, nil: 2_000_000
        case .project: 16_000_000
        case .propertyList, .entitlements, .privacyManifest, .resource: 1_000_000
        }
    }

    /// A name of a file of this kind.
    package var example: String {
        switch self {
        case .swift: "App/A.swift"
        case .propertyList: "App/Info.plist"
        case .entitlements: "App/App.entitlements"
        case .privacyManifest: "App/PrivacyInfo.xcprivacy"
        case .project: "App.xcodeproj/project.pbxproj"
        case .resource: "App/Keys.xcconfig"
        }
    }
}

/// All rules. An id is never used twice.
package enum Catalogue {
    package static let version = 10
    package static let rules =
        store + crypto + network + log + input + platform + propertyLists + projects + effects + absences
    package static let byID = Dictionary(uniqueKeysWithValues: rules.map { ($0.id, $0) })
}
