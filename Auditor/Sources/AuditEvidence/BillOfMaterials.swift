internal import AuditCore
package import Foundation

/// A bill of materials in CycloneDX's JSON, held against the fields that BSI TR-03183-2 asks for.
///
/// Which member holds which field goes by the guideline's chapter 8.1 as others tell it and by BSI's own list of
/// properties (`bsi:component:…`, 0.1.2). Whether a value is true cannot be seen here: it is asked whether it is there
/// and has the form of one.
package struct BillOfMaterials: Sendable {
    package static let set = "tr-03183-2"

    /// What is missing or wrong: the part's name, or nothing where the whole bill is meant.
    package struct Defect: Hashable, Sendable {
        package let row: String
        package let part: String
        /// A field that the guideline asks for where the value exists, which only its maker knows.
        package let isConditional: Bool
    }

    package let file: String
    package private(set) var defects: [Defect] = []
    /// Not JSON, or too large: nothing but that is said.
    package private(set) var isReadable = false

    /// By the names that CycloneDX recommends, and the common `….cdx.json`.
    package static func isBill(_ path: String) -> Bool {
        let name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
        return name == "bom.json" || name.hasSuffix(".bom.json") || name.hasSuffix(".cdx.json")
    }

    package init(file: String, data: Data?) {
        self.file = file
        guard let data, data.count < 64 << 20,
            let root = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        else {
            defects = [Defect(row: "4", part: "", isConditional: false)]
            return
        }
        isReadable = true
        judge(root)
    }

    private mutating func miss(_ row: String, _ part: String = "", isConditional: Bool = false) {
        defects.append(Defect(row: row, part: part, isConditional: isConditional))
    }

    private mutating func judge(_ root: [String: Any]) {
        let number = (root["specVersion"] as? String ?? "").split(separator: ".").compactMap { Int($0) }
        if root["bomFormat"] as? String != "CycloneDX" || number.count != 2 || number.lexicographicallyPrecedes([1, 6])
        {
            miss("4")
        }
        if (root["vulnerabilities"] as? [Any])?.isEmpty == false { miss("3.1") }
        let metadata = root["metadata"] as? [String: Any] ?? [:]
        if !Self.isReachable(metadata["manufacturer"]) { miss("5.2.1 creator") }
        if !Self.isMoment(metadata["timestamp"]) { miss("5.2.1 timestamp") }
        let serial = root["serialNumber"] as? String ?? ""
        if !serial.hasPrefix("urn:uuid:") || UUID(uuidString: String(serial.dropFirst(9))) == nil {
            miss("5.2.3 SBOM-URI", isConditional: true)
        }
        var parts: [[String: Any]] = []
        if let main = metadata["component"] as? [String: Any] { Self.collect(main, &parts, 0) }
        if parts.isEmpty { miss("5.1 primary component") }
        for case let part as [String: Any] in root["components"] as? [Any] ?? [] { Self.collect(part, &parts, 0) }
        let references = Set(parts.compactMap { $0["bom-ref"] as? String })
        let known = Self.dependencies(root, references)
        let told = Self.completeness(root)
        for part in parts { judge(part, known.intersection(told)) }
    }

    /// The part, and those inside of it; nobody nests deeper than 64.
    private static func collect(_ part: [String: Any], _ parts: inout [[String: Any]], _ depth: Int) {
        guard depth < 64 else { return }
        parts.append(part)
        for case let inner as [String: Any] in part["components"] as? [Any] ?? [] { collect(inner, &parts, depth + 1) }
    }

    /// Parts whose dependencies are listed, each of them a part of this bill.
    private static func dependencies(_ root: [String: Any], _ references: Set<String>) -> Set<String> {
        var known: Set<String> = []
        for case let row as [String: Any] in root["dependencies"] as? [Any] ?? [] {
            let asked = row["dependsOn"] as? [String] ?? []
            if let own = row["ref"] as? String, references.isSuperset(of: asked) { known.insert(own) }
        }
        return known
    }

    /// Parts of which the bill says how complete their dependencies are.
    private static func completeness(_ root: [String: Any]) -> Set<String> {
        var told: Set<String> = []
        for case let row as [String: Any] in root["compositions"] as? [Any] ?? [] where row["aggregate"] is String {
            told.formUnion(row["dependencies"] as? [String] ?? [])
        }
        return told
    }

    private mutating func judge(_ part: [String: Any], _ related: Set<String>) {
        let name = part["name"] as? String ?? ""
        let reference = part["bom-ref"] as? String ?? ""
        let label = name.isEmpty ? reference.isEmpty ? "a part without a name" : reference : name
        if name.isEmpty { miss("5.2.2 name", label) }
        if (part["version"] as? String ?? "").isEmpty { miss("5.2.2 version", label) }
        if !Self.isReachable(part["manufacturer"]) { miss("5.2.2 creator", label) }
        let file = Self.property("filename", part)
        if file.count != 1 || file[0].isEmpty || file[0].contains("/") { miss("5.2.2 filename", label) }
        if !related.contains(reference) { miss("5.2.2 dependencies", label) }
        if !Self.hasLicence("concluded", part) { miss("5.2.2 distribution licences", label) }
        let copies = Self.references("distribution", part)
        if !copies.contains(where: Self.hasDigest) { miss("5.2.2 hash", label) }
        let words = [
            ("executable", ["executable", "non-executable"]), ("archive", ["archive", "no archive"]),
            ("structured", ["structured", "unstructured"]),
        ]
        for (field, values) in words {
            let found = Self.property(field, part)
            if found.count != 1 || !values.contains(found[0]) { miss("5.2.2 \(field)", label) }
        }
        if Self.references("source-distribution", part).isEmpty {
            miss("5.2.4 source code URI", label, isConditional: true)
        }
        if copies.allSatisfy({ ($0["url"] as? String ?? "").isEmpty }) {
            miss("5.2.4 deployable URI", label, isConditional: true)
        }
        if part["purl"] == nil, part["cpe"] == nil, part["swid"] == nil {
            miss("5.2.4 identifiers", label, isConditional: true)
        }
        if !Self.hasLicence("declared", part) { miss("5.2.4 original licences", label, isConditional: true) }
    }

    private static func property(_ name: String, _ part: [String: Any]) -> [String] {
        (part["properties"] as? [Any] ?? []).compactMap { $0 as? [String: Any] }
            .filter { $0["name"] as? String == "bsi:component:" + name }.map { $0["value"] as? String ?? "" }
    }

    private static func references(_ type: String, _ part: [String: Any]) -> [[String: Any]] {
        (part["externalReferences"] as? [Any] ?? []).compactMap { $0 as? [String: Any] }
            .filter { $0["type"] as? String == type }
    }

    private static func hasDigest(_ reference: [String: Any]) -> Bool {
        (reference["hashes"] as? [Any] ?? []).contains { hash in
            guard let hash = hash as? [String: Any], let text = hash["content"] as? String else { return false }
            return hash["alg"] as? String == "SHA-512" && text.count == 128 && text.allSatisfy(\.isHexDigit)
        }
    }

    /// An expression of SPDX or an id of its list; a name alone says nothing to a machine.
    private static func hasLicence(_ acknowledgement: String, _ part: [String: Any]) -> Bool {
        (part["licenses"] as? [Any] ?? []).contains { entry in
            guard let entry = entry as? [String: Any] else { return false }
            let own = entry["license"] as? [String: Any] ?? [:]
            let text = entry["expression"] as? String ?? own["id"] as? String ?? ""
            return !text.isEmpty && (entry["acknowledgement"] ?? own["acknowledgement"]) as? String == acknowledgement
        }
    }

    /// A mail address or, without one, an address of the web; not those that are kept for examples (RFC 2606).
    private static func isReachable(_ value: Any?) -> Bool {
        guard let entity = value as? [String: Any] else { return false }
        let mails = (entity["contact"] as? [Any] ?? []).compactMap { ($0 as? [String: Any])?["email"] as? String }
        if mails.contains(where: { mail in
            let parts = mail.split(separator: "@", omittingEmptySubsequences: false)
            return parts.count == 2 && !parts[0].isEmpty && isHost(String(parts[1]))
        }) {
            return true
        }
        return (entity["url"] as? [String] ?? []).contains { text in
            guard let url = URL(string: text), url.scheme == "https" || url.scheme == "http" else { return false }
            return url.host.map(isHost) ?? false
        }
    }

    private static func isHost(_ host: String) -> Bool {
        let labels = host.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, labels.allSatisfy({ !$0.isEmpty }), let last = labels.last else { return false }
        let isSample = ["example", "invalid", "test", "localhost"].contains(last)
        return !isSample && labels[labels.count - 2] != "example"
    }

    /// RFC 3339, with the zone. Its digits are ASCII's; `\d` has those of every script.
    private static func isMoment(_ value: Any?) -> Bool {
        let text = value as? String ?? ""
        let form = /\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)/.asciiOnlyDigits()
        return text.wholeMatch(of: form) != nil
    }

    /// The fields, in the guideline's order. `full` where a look at the bill alone shows what is asked for.
    package static let rows: [Requirement] = [
        row("3.1", "bill", "The bill tells no vulnerabilities: they change, the bill does not.", "full"),
        row(
            "4", "bill", "The bill is CycloneDX 1.6 or later, or SPDX 3.0.1 or later (which is not read here).", "full"),
        row("5.1 primary component", "bill", "The bill is about one component, which it names.", "full"),
        row(
            "5.1 depth", "bill", "Parts are followed down to the first ones that are outside of what is delivered.",
            "none"),
        row("5.2.1 creator", "bill", "Who made the bill can be reached by mail, or by an address of the web.", "full"),
        row("5.2.1 timestamp", "bill", "When the bill was put together.", "full"),
        row(
            "5.2.2 creator", "part", "Who made the part can be reached by mail, or by an address of the web.", "partial"
        ),
        row("5.2.2 name", "part", "What its maker calls the part.", "partial"),
        row("5.2.2 version", "part", "The part's version, or the time of its last change.", "partial"),
        row("5.2.2 filename", "part", "The name of the part's file, without its folder.", "partial"),
        row("5.2.2 dependencies", "part", "What the part needs and holds, and whether that is all.", "partial"),
        row("5.2.2 distribution licences", "part", "Under what licences the part is handed on.", "partial"),
        row("5.2.2 hash", "part", "SHA-512 of the part in the form that is deployed.", "partial"),
        row("5.2.2 executable", "part", "Whether the part can be executed.", "partial"),
        row("5.2.2 archive", "part", "Whether the part is an archive.", "partial"),
        row("5.2.2 structured", "part", "Whether the part still shows what it holds.", "partial"),
        row("5.2.3 SBOM-URI", "bill", "The bill has a URI of its own, where it can have one.", "full"),
        row("5.2.4 source code URI", "part", "Where the part's source is, where there is one.", "partial"),
        row("5.2.4 deployable URI", "part", "Where the part is had as it is deployed, where that is told.", "partial"),
        row(
            "5.2.4 identifiers", "part", "Other identifiers of the part (purl, CPE, SWID), where it has any.", "partial"
        ),
        row(
            "5.2.4 original licences", "part", "The licences that the part's maker gives it, where they are known.",
            "partial"),
    ]

    private static func row(_ id: String, _ family: String, _ text: String, _ automation: String) -> Requirement {
        Requirement(
            set: set, id: "TR-03183-2 \(id)", standard: "BSI TR-03183-2", edition: "2.1.0 (2025-08-20)", family: family,
            level: ["MUST"], depth: "", text: text, automation: automation, kit: "no",
            verify: automation == "none" ? ["human"] : ["static_scan"], how: "The bill is read field by field.", tr: [])
    }
}
