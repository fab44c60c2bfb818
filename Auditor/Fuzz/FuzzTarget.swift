internal import AuditCore
internal import AuditDriver
internal import AuditEvidence
internal import Foundation

/// A parser of files that may be anybody's, and what must hold for each input.
struct FuzzTarget: Sendable {
    /// How it is named on the command line.
    let name: String
    /// Inputs to start from.
    let seeds: [String]
    /// Takes one input. It must come back without a trap, in time, and with the property kept.
    let run: @Sendable (Data) -> Void

    static let all =
        [
            // What each rule's examples are written in.
            file(
                "audit-source", "A.swift", Catalogue.rules.flatMap { [$0.bad, $0.good] }.filter { !$0.hasPrefix("<") }),
            file(
                "audit-list", "Info.plist", Catalogue.rules.flatMap { [$0.bad, $0.good] }.filter { $0.hasPrefix("<") }),
            file(
                "audit-project", "A.xcodeproj/project.pbxproj",
                [
                    "// !$*UTF8*$!\n{ objects = { A = { isa = XCBuildConfiguration; buildSettings = { B = \"C\"; D = (1, 2); }; }; }; }"
                ]),
            file("audit-resource", "a.json", [#"{"apiKey": "k9Xq2LmP7vRt5w8Zb", "a": ["b", {"c": null}]}"#]),
        ] + [bill, maker, results]

    /// What is said of a file stands within it, is the same twice, and goes through every form of a report.
    private static func file(_ name: String, _ path: String, _ seeds: [String]) -> FuzzTarget {
        FuzzTarget(name: name, seeds: seeds) { data in
            let report = Analyzer.analyze(data, file: "/r/" + path, root: "/r/")
            require(
                report.findings.allSatisfy { $0.line >= 0 && $0.line <= report.lines + 1 },
                "a line behind the file's end")
            // The forms of a report hold the whole catalogue: each input in some, all inputs in none.
            guard !report.findings.isEmpty, data.reduce(0, { $0 &+ $1 }) % 16 == 0 else { return }
            let again = Analyzer.analyze(data, file: "/r/" + path, root: "/r/")
            require(report.findings == again.findings && report.notAnalysed == again.notAnalysed, "two answers")
            let result = AuditResult(reports: [report], root: "/r/", seconds: 0)
            require(!result.text().isEmpty && !SARIFLog(result).text().isEmpty, "no report")
            require(!HTMLReport(result).text().contains("<script"), "a page with a script")
        }
    }

    private static let bill = FuzzTarget(
        name: "audit-bill",
        seeds: [
            #"{"bomFormat":"CycloneDX","specVersion":"1.6","metadata":{"timestamp":"2026-11-25T00:00:00Z"},"components":[{"type":"library","name":"a","version":"1","components":[{"name":"b"}]}]}"#
        ]
    ) { data in
        let read = BillOfMaterials(file: "/r/bom.json", data: data)
        require(
            read.defects.map(\.row) == BillOfMaterials(file: "/r/bom.json", data: data).defects.map(\.row),
            "two answers")
    }

    private static let maker = FuzzTarget(
        name: "audit-maker",
        seeds: [
            #"{"subject":{"name":"Diary","version":"1"},"notApplicable":[{"requirement":"O.Paid_1","reason":"nothing is sold","person":"A. Person","date":"2026-11-25"}]}"#
        ]
    ) { data in
        guard let file = try? MakerFile(data) else { return }
        require(file.signer == nil, "a file that says of itself that it is signed")
    }

    private static let results = FuzzTarget(
        name: "audit-results", seeds: [#"{"requirement":"O.Auth_15","kind":"kit-test","check":"T","outcome":"agrees"}"#]
    ) { data in
        guard let all = try? CheckResult.read(String(decoding: data, as: UTF8.self)) else { return }
        require(all.allSatisfy { !$0.requirement.isEmpty }, "a result of no row")
    }
}
