import Foundation
import PaviseCrypto
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// 37 questions of one host and one certificate each, with the verdict of Apple's TLS server policy.
@Suite(.enabled(if: Vectors.has("hostnames"), "no vectors in PAVISE_VECTORS: hostnames"))
struct `Which host does a certificate serve` {
    struct Case: Sendable, CustomStringConvertible {
        let id, certificate, host, decidedBy: String
        let isAccepted: Bool
        var description: String { id }
    }

    static let cases: [Case] = {
        guard let bytes = try? Vectors.read("hostnames/hostnames.json"), let file = try? JSONValue.parse(bytes) else {
            return []
        }
        return (file["cases"]?.array ?? []).map { entry in
            Case(
                id: entry["id"]?.string ?? "", certificate: entry["certificate"]?.string ?? "",
                host: entry["hostname"]?.string ?? "", decidedBy: entry["decidedBy"]?.string ?? "",
                isAccepted: entry["expected"]?.string == "accept")
        }
    }()

    @Test(arguments: cases)
    func `the verdict and its reason are those of Apple's systems`(_ entry: Case) throws {
        let verdict = ServerTrust.evaluate(
            chain: [try Vectors.read("hostnames/\(entry.certificate)")], host: entry.host, at: 1_467_331_200,
            anchors: .only([try Vectors.read("hostnames/root.cer")]))
        #expect(verdict.isTrusted == entry.isAccepted, "\(verdict.failures)")
        #expect(verdict.path.count == 2)
        guard !entry.isAccepted else { return }
        #expect(verdict.failures.map(\.code) == [entry.decidedBy == "name" ? -67602 : -67609])
    }

    @Test func `all questions are asked`() {
        #expect(Self.cases.count == 37 && Self.cases.count(where: \.isAccepted) == 4)
    }
}
