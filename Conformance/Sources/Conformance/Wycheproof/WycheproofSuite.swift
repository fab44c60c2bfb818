internal import Foundation
internal import PavisePrimitives

/// Project Wycheproof: each file of a folder by its schema.
enum WycheproofSuite {
    @Sendable static func play(_ arguments: SuiteArguments) throws -> SuiteReport {
        var report = SuiteReport("wycheproof", arguments)
        for path in arguments.paths {
            for file in try files(path) { try play(file, into: &report) }
        }
        return report
    }

    private static func files(_ path: String) throws -> [URL] {
        let url = URL(fileURLWithPath: path)
        guard !path.hasSuffix(".json") else { return [url] }
        return try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasSuffix("_test.json") }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    private static func play(_ url: URL, into report: inout SuiteReport) throws {
        let json = try JSONValue.parse(Array(try Data(contentsOf: url)), limit: 1 << 24)
        let name = url.lastPathComponent.replacingOccurrences(of: "_test.json", with: "")
        let player = WycheproofPlayer.of(json)
        for group in json["testGroups"]?.array ?? [] {
            for test in group["tests"]?.array ?? [] {
                let entry = WycheproofCase(file: name, group: group, test: test)
                let outcome = player.play(entry)
                report.add(entry.id) { isTurned in
                    WycheproofVerdict(entry, player, isTurned: isTurned).outcome(entry, player, outcome)
                }
            }
        }
    }
}
