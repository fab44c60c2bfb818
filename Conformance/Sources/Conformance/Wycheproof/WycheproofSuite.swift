internal import Foundation
internal import PavisePrimitives

/// Project Wycheproof: each file of a folder by its schema.
enum WycheproofSuite {
    @Sendable static func play(_ paths: [String]) throws -> SuiteReport {
        var report = SuiteReport(suite: "wycheproof")
        for path in paths {
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
        guard let player = WycheproofPlayer.of(json) else {
            report.skipped.append(name)
            return
        }
        for group in json["testGroups"]?.array ?? [] {
            for test in group["tests"]?.array ?? [] {
                let entry = WycheproofCase(file: name, group: group, test: test)
                report.add(entry, player.play(entry), wanted: player.wanted(entry))
            }
        }
    }
}

extension SuiteReport {
    /// Counts a case. An acceptable one may be refused; where it is taken, its value must be right.
    fileprivate mutating func add(_ entry: WycheproofCase, _ outcome: WycheproofOutcome, wanted: [UInt8]) {
        figures["cases", default: 0] += 1
        switch (entry.result, outcome) {
        case ("valid", .gave(let value)) where value == wanted: passed += 1
        case ("acceptable", .gave(let value)) where value == wanted: passed += 1
        case ("invalid", .refused), ("acceptable", .refused), ("acceptable", .notOffered), ("invalid", .notOffered):
            passed += 1
        case ("valid", .notOffered(let reason)), (_, .contradicted(let reason)): expected[entry.id] = reason
        case (_, .gave): unexpected[entry.id] = "accepted or a wrong value: \(entry.comment)"
        default: unexpected[entry.id] = "refused: \(entry.comment)"
        }
    }
}
