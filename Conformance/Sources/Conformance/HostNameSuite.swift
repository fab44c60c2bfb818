internal import Foundation
internal import PaviseCrypto
internal import PavisePrimitives
internal import SecurityFramework

/// Questions of one host and one certificate each, with the verdict of Apple's TLS server policy and what decides it.
enum HostNameSuite {
    @Sendable static func play(_ paths: [String]) throws -> SuiteReport {
        var report = SuiteReport(suite: "hostnames")
        for folder in paths {
            let file = try JSONValue.parse(try bytes("\(folder)/hostnames.json"), limit: 1 << 22)
            let anchors = TrustAnchors.only([try bytes("\(folder)/\(file["anchor"]?.string ?? "root.cer")")])
            let seconds = try seconds(file["verifyTime"])
            for entry in file["cases"]?.array ?? [] {
                let leaf = try bytes("\(folder)/\(entry["certificate"]?.string ?? "")")
                let verdict = ServerTrust.evaluate(
                    chain: [leaf], host: entry["hostname"]?.string ?? "", at: seconds, anchors: anchors)
                report.add(entry, verdict)
            }
        }
        return report
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private static func seconds(_ time: JSONValue?) throws -> Int64 {
        if let number = time?.integer { return number }
        let numbers = (time?.string ?? "").prefix(19).split { !$0.isNumber }.compactMap { Int($0) }
        return try CivilTime.seconds(numbers)
    }
}

extension SuiteReport {
    // A refusal must have the published reason too: a matcher that refuses everything would get nearly all right.
    fileprivate mutating func add(_ entry: JSONValue, _ verdict: TrustVerdict) {
        let id = entry["id"]?.string ?? "?"
        let isAccepted = entry["expected"]?.string == "accept"
        let code: Int32 = entry["decidedBy"]?.string == "name" ? -67602 : -67609
        figures["cases", default: 0] += 1
        switch (isAccepted, verdict.isTrusted) {
        case (true, true): passed += 1
        case (false, false) where verdict.failures.map(\.code) == [code]: passed += 1
        case (true, false): unexpected[id] = "refused: \(verdict.failures.map(\.sentence).joined(separator: " "))"
        case (false, true): unexpected[id] = "accepted"
        case (false, false): unexpected[id] = "refused for another reason: \(verdict.failures.map(\.code))"
        }
    }
}
