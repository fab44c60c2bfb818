internal import Foundation
internal import PaviseCrypto
internal import PavisePrimitives
internal import SecurityFramework

/// Questions of one host and one certificate each, with the verdict of Apple's TLS server policy and what decides it.
enum HostNameSuite {
    @Sendable static func play(_ arguments: SuiteArguments) throws -> SuiteReport {
        var report = SuiteReport("hostnames", arguments)
        for folder in arguments.paths {
            let file = try JSONValue.parse(try bytes("\(folder)/hostnames.json"), limit: 1 << 22)
            let anchors = TrustAnchors.only([try bytes("\(folder)/\(file["anchor"]?.string ?? "root.cer")")])
            let seconds = try seconds(file["verifyTime"])
            for entry in file["cases"]?.array ?? [] {
                let leaf = try bytes("\(folder)/\(entry["certificate"]?.string ?? "")")
                let verdict = ServerTrust.evaluate(
                    chain: [leaf], host: entry["hostname"]?.string ?? "", at: seconds, anchors: anchors)
                report.add(entry["id"]?.string ?? "?") { outcome(of: entry, verdict, isTurned: $0) }
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
        return try CertificateTime.seconds(numbers)
    }

    // A refusal must have the published reason too: a matcher that refuses everything would get nearly all right.
    private static func outcome(of entry: JSONValue, _ verdict: TrustVerdict, isTurned: Bool) -> CaseOutcome {
        let isToBeAccepted = (entry["expected"]?.string == "accept") != isTurned
        let code: Int32 = entry["decidedBy"]?.string == "name" ? -67602 : -67609
        switch (isToBeAccepted, verdict.isTrusted) {
        case (true, true): return .passed
        case (false, false) where verdict.failures.map(\.code) == [code]: return .passed
        case (true, false): return .failed("refused: \(verdict.failures.map(\.sentence).joined(separator: " "))")
        case (false, true): return .failed("accepted")
        case (false, false): return .failed("refused for another reason: \(verdict.failures.map(\.code))")
        }
    }
}
