import AuditCore
import AuditDriver
import AuditEvidence
import Foundation
import Testing

/// Bills of materials held against the fields of TR-03183-2, each field taken away once.
@Suite struct BillTests {
    private static var maker: [String: Any] { ["name": "Makers", "contact": [["email": "sbom@makers.eu"]]] }

    private static func part(_ name: String) -> [String: Any] {
        [
            "type": "library", "bom-ref": name, "name": name, "version": "1.0", "manufacturer": maker,
            "purl": "pkg:generic/\(name)@1.0",
            "licenses": [
                ["license": ["id": "MIT", "acknowledgement": "concluded"]],
                ["expression": "MIT", "acknowledgement": "declared"],
            ],
            "externalReferences": [
                [
                    "type": "distribution", "url": "https://makers.eu/\(name)",
                    "hashes": [["alg": "SHA-512", "content": String(repeating: "a1", count: 64)]],
                ] as [String: Any],
                ["type": "source-distribution", "url": "https://makers.eu/\(name).tar"],
            ],
            "properties": [
                ["name": "bsi:component:filename", "value": "lib\(name).so"],
                ["name": "bsi:component:executable", "value": "executable"],
                ["name": "bsi:component:archive", "value": "no archive"],
                ["name": "bsi:component:structured", "value": "unstructured"],
            ],
        ]
    }

    private static var whole: [String: Any] {
        [
            "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
            "serialNumber": "urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79",
            "metadata": ["timestamp": "2026-11-27T10:00:00Z", "manufacturer": maker, "component": part("app")],
            "components": [part("one")],
            "dependencies": [["ref": "app", "dependsOn": ["one"]], ["ref": "one"]],
            "compositions": [["aggregate": "complete", "dependencies": ["app", "one"]]],
        ]
    }

    private func bill(_ root: [String: Any]) throws -> BillOfMaterials {
        BillOfMaterials(file: "/r/app.cdx.json", data: try JSONSerialization.data(withJSONObject: root))
    }

    /// The whole bill with one member of its second part set to another value, or taken away.
    private static func changed(_ key: String, _ value: Any?) -> [String: Any] {
        var root = whole
        var one = part("one")
        one[key] = value
        root["components"] = [one]
        return root
    }

    private static func property(_ name: String, _ value: String?) -> [String: Any] {
        let list = (part("one")["properties"] as? [[String: String]] ?? []).filter {
            $0["name"] != "bsi:component:" + name
        }
        return changed("properties", list + (value.map { [["name": "bsi:component:" + name, "value": $0]] } ?? []))
    }

    private static func root(_ key: String, _ value: Any?) -> [String: Any] {
        var root = whole
        root[key] = value
        return root
    }

    private static func metadata(_ key: String, _ value: Any?) -> [String: Any] {
        var inner = whole["metadata"] as? [String: Any] ?? [:]
        inner[key] = value
        return root("metadata", inner)
    }

    private static func mail(_ address: String) -> [String: Any] { ["contact": [["email": address]]] }

    /// What is taken away, and the rows that have to miss it.
    private static var changes: [(bill: [String: Any], rows: [String])] {
        [
            (whole, []), (root("specVersion", "1.5"), ["4"]), (root("bomFormat", "SPDX"), ["4"]),
            (root("specVersion", "1.10"), []), (root("vulnerabilities", [["id": "CVE-1"]]), ["3.1"]),
            (root("serialNumber", "urn:uuid:1"), ["5.2.3 SBOM-URI"]),
            (metadata("timestamp", "27.11.2026"), ["5.2.1 timestamp"]),
            (metadata("timestamp", "2026-11-27T10:00:00"), ["5.2.1 timestamp"]),
            // The digits of another script.
            (metadata("timestamp", "\u{662}\u{660}26-11-27T10:00:00Z"), ["5.2.1 timestamp"]),
            (metadata("manufacturer", nil), ["5.2.1 creator"]),
            (metadata("manufacturer", ["name": "Makers"]), ["5.2.1 creator"]),
            (metadata("manufacturer", mail("sbom@makers.invalid")), ["5.2.1 creator"]),
            (metadata("manufacturer", mail("sbom@example.org")), ["5.2.1 creator"]),
            (metadata("manufacturer", mail("nobody")), ["5.2.1 creator"]),
            (metadata("manufacturer", ["url": ["https://makers.eu"]]), []),
            (metadata("manufacturer", ["url": ["file:///etc"]]), ["5.2.1 creator"]),
            (changed("manufacturer", nil), ["5.2.2 creator"]), (changed("version", nil), ["5.2.2 version"]),
            (changed("name", ""), ["5.2.2 name"]), (property("filename", nil), ["5.2.2 filename"]),
            (property("filename", "usr/lib/one.so"), ["5.2.2 filename"]),
            (property("executable", "yes"), ["5.2.2 executable"]), (property("archive", nil), ["5.2.2 archive"]),
            (property("structured", "true"), ["5.2.2 structured"]),
            (root("compositions", nil), ["5.2.2 dependencies", "5.2.2 dependencies"]),
            (root("dependencies", [["ref": "app", "dependsOn": ["one"]]]), ["5.2.2 dependencies"]),
            (root("dependencies", [["ref": "app", "dependsOn": ["two"]], ["ref": "one"]]), ["5.2.2 dependencies"]),
            (changed("purl", nil), ["5.2.4 identifiers"]),
            (
                changed("licenses", [["license": ["name": "ours", "acknowledgement": "concluded"]]]),
                ["5.2.2 distribution licences", "5.2.4 original licences"]
            ),
            (
                changed("externalReferences", [["type": "source-distribution", "url": "https://makers.eu/one.tar"]]),
                ["5.2.2 hash", "5.2.4 deployable URI"]
            ),
            (
                changed(
                    "externalReferences",
                    [
                        ["type": "distribution", "url": "u", "hashes": [["alg": "SHA-256", "content": "00"]]]
                            as [String: Any]
                    ]
                ), ["5.2.2 hash", "5.2.4 source code URI"]
            ),
        ]
    }

    @Test func `each field that is missing is told at its row, and nothing else is`() throws {
        for (root, rows) in Self.changes { #expect(try bill(root).defects.map(\.row).sorted() == rows) }
        let rows = Set(BillOfMaterials.rows.map(\.id))
        for row in Self.changes.flatMap(\.rows) { #expect(rows.contains("TR-03183-2 " + row)) }
    }

    @Test func `parts inside of parts are looked at, and depth is bounded`() throws {
        var inner = Self.part("two")
        inner["version"] = nil
        var one = Self.part("one")
        one["components"] = [inner]
        #expect(
            try bill(Self.root("components", [one])).defects.map { "\($0.row) \($0.part)" } == [
                "5.2.2 version two", "5.2.2 dependencies two",
            ])
        for _ in 0..<200 { one = ["name": "x", "components": [one]] }
        #expect(try bill(Self.root("components", [one])).defects.count < 64 * 20)
    }

    private func records(_ root: [String: Any]?, accepted: String? = nil) throws -> [String: EvidenceRecord] {
        let data = try root.map { try JSONSerialization.data(withJSONObject: $0) }
        var surroundings = EvidenceBuilder.Surroundings()
        surroundings.bills = [BillOfMaterials(file: "/r/app.cdx.json", data: data)]
        let report = Analyzer.analyze(data ?? Data("{".utf8), file: "/r/app.cdx.json", root: "/r/")
        let builder = EvidenceBuilder(AuditResult(reports: [report], root: "/r/", seconds: 0), surroundings)
        let bundle = EvidenceBundle(builder, standard: BillOfMaterials.set)
        #expect(bundle.records.count == BillOfMaterials.rows.count)
        return Dictionary(uniqueKeysWithValues: bundle.records.map { ($0.requirement.id, $0) })
    }

    @Test func `a field that is missing contradicts its row; one that is there is not yet true`() throws {
        let good = try records(Self.whole)
        #expect(good["TR-03183-2 4"]?.verdict == .supported)
        #expect(good["TR-03183-2 5.2.1 creator"]?.verdict == .supported)
        #expect(good["TR-03183-2 5.2.2 hash"]?.verdict == .notAssessed)
        #expect(good["TR-03183-2 5.1 depth"]?.verdict == .notAssessed)
        #expect(!good.values.contains { $0.verdict == .contradicted })
        let bad = try records(Self.property("archive", nil))
        let row = try #require(bad["TR-03183-2 5.2.2 archive"])
        #expect(row.verdict == .contradicted && row.findings.map(\.place) == ["app.cdx.json: one"])
        #expect(bad["TR-03183-2 5.2.2 executable"]?.verdict == .notAssessed)
        // What is asked for only where it exists is a person's to judge.
        #expect(try records(Self.changed("purl", nil))["TR-03183-2 5.2.4 identifiers"]?.verdict == .notAssessed)
    }

    @Test func `a bill that is no JSON supports nothing`() throws {
        let none = try records(nil)
        #expect(none["TR-03183-2 4"]?.verdict == .contradicted)
        #expect(!none.values.contains { $0.verdict == .supported })
    }

    @Test(arguments: [
        ("a/bom.json", true), ("a/App.cdx.json", true), ("a/x.bom.json", true), ("a/package.json", false),
        ("bom.json/A.swift", false),
    ])
    func `a bill is known by its name`(_ path: String, _ isBill: Bool) {
        #expect(BillOfMaterials.isBill(path) == isBill)
    }
}
