import PavisePrimitives
import TestSupport
import Testing

@testable import PaviseJWT

/// Project Wycheproof's signatures and keys, in full. Skipped where the vectors are not there.
@Suite(.enabled(if: Vectors.has("wycheproof"), "no vectors in PAVISE_VECTORS: wycheproof")) struct WycheproofTests {
    /// Valid cases whose key names another algorithm (PS256 for PS384) or none that is registered (ES521). As it stands
    /// such a key refuses its token, which is not what is published; it accepts the token when the caller says what the
    /// key is for.
    private static let otherAlgorithm: [Int64: TokenAlgorithm] = [
        346: .ps384, 350: .ps384, 347: .es512, 351: .es512,
    ]

    /// Cases that contradict others of the file (Documentation/WebTokens.md): 367 and 370 are published as invalid and
    /// are, letter for letter, the valid case 357; 372 and 373 are published as valid and hold a `?`, which the invalid
    /// case 371 says is refused.
    private static let contradictory: [Int64: Bool] = [367: true, 370: true, 372: false, 373: false]

    @Test func `393 of 401 signatures are judged as published, and eight otherwise`() throws {
        var counts: [String: Int] = [:]
        var otherwise: Set<Int64> = []
        var texts: [Int64: String] = [:]
        for (key, test) in try cases("json_web_signature") {
            let (number, result) = (test["tcId"]?.integer ?? 0, test["result"]?.string ?? "")
            counts[result, default: 0] += 1
            texts[number] = test["jws"]?.string
            let isAccepted = accepts(test["jws"]?.string, key)
            if isAccepted != (result == "valid") { otherwise.insert(number) }
            if let wanted = Self.contradictory[number] { #expect(isAccepted == wanted, "test \(number)") }
            if let algorithm = Self.otherAlgorithm[number] {
                #expect(!isAccepted && accepts(test["jws"]?.string, key, pinnedTo: algorithm), "test \(number)")
            }
        }
        #expect(counts == ["valid": 46, "invalid": 355])
        #expect(otherwise == Set(Self.otherAlgorithm.keys).union(Self.contradictory.keys))
        #expect(texts[357] == texts[367] && texts[357] == texts[370])
        #expect(texts[372]?.contains("?") == true && texts[373]?.contains("?") == true)
    }

    @Test func `with RS256 alone, as a session has it, 355 of 355 invalid signatures are refused`() throws {
        var accepted = 0
        for (key, test) in try cases("json_web_signature") {
            let keys = try? JSONWebKeySet(.fields(["keys": .array([key])]), accepting: [.rs256])
            guard let keys, let token = try? CompactToken(test["jws"]?.string ?? ""),
                (try? token.verified(by: keys)) != nil
            else { continue }
            accepted += 1
            #expect(test["result"] == "valid")
        }
        // Every valid RS256 case there is.
        #expect(accepted == 8)
    }

    @Test func `26 of 26 keys are judged as published`() throws {
        var counts: [String: Int] = [:]
        for (key, test) in try cases("json_web_key") {
            let (number, result) = (test["tcId"]?.integer ?? 0, test["result"]?.string ?? "")
            counts[result, default: 0] += 1
            #expect(accepts(test["jws"]?.string, key) == (result == "valid"), "test \(number)")
        }
        #expect(counts == ["valid": 5, "invalid": 21])
    }

    private func cases(_ name: String) throws -> [(key: JSONValue, test: JSONValue)] {
        let bytes = try Vectors.read("wycheproof/\(name)_test.json")
        let document = try JSONValue.parse(bytes, limit: 8 << 20, depth: 32)
        return (document["testGroups"]?.array ?? []).flatMap { group in
            (group["tests"]?.array ?? []).map { (group["public"] ?? group["private"] ?? .null, $0) }
        }
    }

    private func accepts(_ text: String?, _ key: JSONValue, pinnedTo algorithm: TokenAlgorithm? = nil) -> Bool {
        do {
            let token = try CompactToken(text ?? "")
            guard key["keys"] == nil else {
                _ = try token.verified(by: JSONWebKeySet(key, accepting: Set(TokenAlgorithm.allCases)))
                return true
            }
            _ = try token.verified(by: JSONWebKey(key, pinnedTo: algorithm))
            return true
        } catch {
            return false
        }
    }
}
