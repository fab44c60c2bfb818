import PavisePrimitives
import TestSupport
import Testing

@testable import PaviseSession

/// session/BAR5: Project Wycheproof's signatures. Skipped where the vectors are not there.
@Suite(.enabled(if: Vectors.has("wycheproof"), "the vectors are not beside the package")) struct WycheproofTests {
    @Test func `no invalid signature is accepted, and every valid RS256 one with a strong key is`() throws {
        let bytes = try Vectors.read("wycheproof/json_web_signature_test.json")
        let document = try JSONValue.parse(bytes, limit: 8 << 20, depth: 32)
        var invalid = 0
        var valid = 0
        for group in document["testGroups"]?.array ?? [] {
            let key = group["public"] ?? group["private"] ?? .null
            for test in group["tests"]?.array ?? [] {
                let isAccepted = accepts(test["jws"]?.string ?? "", key)
                let name = Comment(rawValue: "test \(test["tcId"]?.integer ?? 0)")
                if test["result"] == "invalid" {
                    invalid += 1
                    #expect(!isAccepted, name)
                } else if key["alg"] == "RS256" {
                    valid += 1
                    #expect(isAccepted, name)
                }
            }
        }
        #expect(invalid == 355)
        #expect(valid > 0)
    }

    private func accepts(_ text: String, _ key: JSONValue) -> Bool {
        let document = JSONValue.fields(["keys": .array(key["keys"]?.array ?? [key])])
        do {
            try JSONWebSignature(text).verify(with: try KeySet(document))
            return true
        } catch {
            return false
        }
    }
}
