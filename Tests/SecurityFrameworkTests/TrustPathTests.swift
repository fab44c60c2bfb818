import Foundation
import PaviseCrypto
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// x509-limbo and BetterTLS: thousands of chains with known verdicts.
@Suite(
    .enabled(if: Vectors.has("limbo"), "no vectors in PAVISE_VECTORS: limbo"),
    .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/xz"), "no vectors in PAVISE_VECTORS: limbo needs xz"))
struct `Paths of the public suites` {
    private static func request(_ entry: [String: Any], now: Int64) -> TrustRequest {
        func certificates(_ text: String) -> [[UInt8]] { PEM.blocks("CERTIFICATE", in: text) ?? [[0]] }
        let anchors = (entry["trusted_certs"] as? [String] ?? []).flatMap(certificates)
        let others = (entry["untrusted_intermediates"] as? [String] ?? []).flatMap(certificates)
        let leaf = certificates(entry["peer_certificate"] as? String ?? "")
        let name = entry["expected_peer_name"] as? [String: Any]
        let time = (entry["validation_time"] as? String).flatMap { ISO8601DateFormatter().date(from: $0) }
        let mail = (entry["expected_peer_names"] as? [[String: Any]] ?? []).compactMap { $0["value"] as? String }
        let isServer = entry["validation_kind"] as? String == "SERVER"
        var request = TrustRequest(
            chain: leaf + others, peer: isServer ? .server(host: name?["value"] as? String) : .client(mail: mail),
            at: time.map { Int64($0.timeIntervalSince1970) } ?? now, anchors: .only(anchors))
        request.maximumAuthorities = entry["max_chain_depth"] as? Int
        let lists = (entry["crls"] as? [String] ?? []).flatMap { PEM.blocks("X509 CRL", in: $0) ?? [[0]] }
        request.evidence = RevocationEvidence(lists: lists, answers: [])
        request.revocation = lists.isEmpty ? .ignored : .usableWhenPresent
        return request
    }

    private static func cases() throws -> [[String: Any]] {
        let folder = try #require(Vectors.folder)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/xz")
        process.arguments = ["-dc", "\(folder)/limbo/limbo-half.json.xz"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let file = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        return try #require(file["testcases"] as? [[String: Any]])
    }

    // What a suite calls a failure although Apple's systems accept it, or the other way round.
    private static func agreed() throws -> [String: String] {
        let file = try JSONValue.parse(Vectors.read("limbo/apple-mode.json"), limit: 1 << 20)
        let cases = (file["cases"]?.array ?? []).filter { $0["scoreAs"]?.string == "either" }
        return Dictionary(
            cases.compactMap { entry in
                entry["id"]?.string.map { ($0, entry["verdictOnApple"]?.string ?? "") }
            }, uniquingKeysWith: { $1 })
    }

    // All cases take 20 seconds without optimisation: an ordinary run takes a sample of the generated ones.
    private static func isChosen(_ id: String, _ index: Int) -> Bool {
        let wantsAll = ProcessInfo.processInfo.environment["PAVISE_LIMBO"] == "all"
        return wantsAll || !id.hasPrefix("bettertls::nameconstraints") || index.isMultiple(of: 20)
    }

    @Test(.long) func `every verdict is the published one or one that Apple's systems share`() throws {
        let agreed = try Self.agreed()
        var (passed, shared) = (0, 0)
        for (index, entry) in try Self.cases().enumerated() {
            let id = entry["id"] as? String ?? ""
            guard Self.isChosen(id, index) else { continue }
            let request = Self.request(entry, now: 1_795_000_000)
            let verdict = ServerTrust.evaluate(request)
            #expect(ServerTrust.isTrusted(request) == verdict.isTrusted, "\(id)")
            if verdict.isTrusted == (entry["expected_result"] as? String == "SUCCESS") {
                passed += 1
            } else {
                shared += 1
                #expect(agreed[id] == (verdict.isTrusted ? "accept" : "refuse"), "\(id): \(verdict.failures)")
            }
        }
        #expect(passed > 300 && shared == agreed.count, "\(passed), \(shared)")
    }
}
