internal import AuditCore
package import Foundation

/// What `pavise ats diagnose --json` saw of the app's servers, one a line.
///
/// It offered TLS as ATS does, and with ATS's exceptions, and says what each server took of that. What a server takes
/// besides was not asked. So it may speak against a row, and gives none what that asks for.
package struct ServerDiagnosis: Sendable {
    /// The file as it was given, kept beside the records.
    package let text: String
    /// One for each server.
    let checks: [CheckResult]

    /// Reads the lines.
    ///
    /// - Throws: `MakerFile.Failure` where one is no diagnosis: half a file would be half of the servers.
    package init(_ data: Data) throws(MakerFile.Failure) {
        guard let text = String(bytes: data, encoding: .utf8) else {
            throw MakerFile.Failure(description: "diagnosis: no text in UTF-8")
        }
        let digest = "sha256:" + SHA256.hex(text)
        var checks: [CheckResult] = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: CheckResult.endsLine)
        for (number, line) in lines.enumerated() where !line.isEmpty {
            guard let server = try? JSONDecoder().decode(Server.self, from: Data(line.utf8)), server.isKnown else {
                throw MakerFile.Failure(description: "diagnosis, line \(number + 1): not what “ats diagnose” prints")
            }
            checks.append(server.check(of: digest))
        }
        guard !checks.isEmpty else { throw MakerFile.Failure(description: "diagnosis: no server is in it") }
        self.text = text
        self.checks = checks
    }

    /// An object of `ats diagnose --json`, as far as it says something of a row.
    private struct Server: Decodable {
        struct Entry: Decodable {
            let minimum: String?
            let needsForwardSecrecy: Bool?

            enum CodingKeys: String, CodingKey {
                case minimum = "NSExceptionMinimumTLSVersion"
                case needsForwardSecrecy = "NSExceptionRequiresForwardSecrecy"
            }

            /// Whether it goes below TLS 1.2 or gives forward secrecy up, which TR-02102-2 does not.
            var isWeak: Bool { ["TLSv1.0", "TLSv1.1"].contains(minimum) || needsForwardSecrecy == false }
        }
        struct Exceptions: Decodable {
            let domains: [String: Entry]?

            enum CodingKeys: String, CodingKey { case domains = "NSExceptionDomains" }
        }
        let schema: Int
        let url: String
        let conclusion: String
        let exceptions: Exceptions
        /// When it was asked; of an earlier version nobody knows.
        let asked: String?

        var isKnown: Bool {
            schema == 1
                && ["noExceptionNeeded", "exceptionsSuffice", "noExceptionHelps", "unreachable"].contains(conclusion)
        }

        private var isWeak: Bool { (exceptions.domains ?? [:]).values.contains(where: \.isWeak) }

        // What needs another exception, has no trusted certificate or gives no answer says nothing of TLS's settings.
        private var outcome: String {
            switch conclusion {
            case "noExceptionNeeded" where url.hasPrefix("https:"): "agrees"
            case "exceptionsSuffice" where isWeak: "disagrees"
            default: "not run: \(conclusion)"
            }
        }

        func check(of digest: String) -> CheckResult {
            let time = asked.map { "Asked at \($0)" } ?? "Asked at an unknown time"
            return CheckResult(
                requirement: "O.Ntwk_2", kind: "probe", check: "ats diagnose \(url)", outcome: outcome,
                claim: "\(time), of TLS 1.2 with forward secrecy and what is above; diagnosis.jsonl is \(digest).",
                version: "\(schema)")
        }
    }
}
