import Foundation
import PaviseManaged
import PavisePrimitives
import PaviseTransport
import Testing

/// What an app answers to its administrator in the dictionary that it shares with others.
@Suite struct ManagedAnswerTests {
    private static let problem = ManagedProblem(.misspelt, "Pavise", "pavise")
    private let refused = ManagedReport(.failure(.content("rules", .unusable([Self.problem]))))
    private let unmanaged = ManagedReport(.success(nil))

    private func own(_ answers: [String: Any]?) -> [String: Any]? { answers?["pavise"] as? [String: Any] }

    @Test func `an answer stands beside those of others, with its problems`() throws {
        let answers = try #require(refused.answers(after: ["theme": "dark", "battery": 7]))
        #expect(answers["theme"] as? String == "dark" && answers["battery"] as? Int == 7 && answers.count == 3)
        #expect(own(answers)?["status"] as? String == "refused")
        #expect(
            own(answers)?["problems"] as? [[String: String]] == [
                ["code": "misspelt", "path": "Pavise", "words": "pavise"]
            ])
    }

    @Test func `the same answer is not written again, and another one is`() throws {
        for report in [refused, unmanaged] {
            let answers = try #require(report.answers(after: [:]))
            #expect(report.answers(after: answers) == nil)
            // As a system gives it back.
            let bytes = try PropertyListSerialization.data(fromPropertyList: answers, format: .binary, options: 0)
            let read = try unsafe PropertyListSerialization.propertyList(from: bytes, format: nil)
            #expect(report.answers(after: try #require(read as? [String: Any])) == nil)
            let other = report == refused ? unmanaged : refused
            #expect(own(other.answers(after: answers))?["status"] as? String == other.status.rawValue)
        }
    }

    @Test func `what somebody else wrote in the answer's place is replaced`() throws {
        let answers = try #require(refused.answers(after: [:]))
        var longer = try #require(own(answers))
        longer["more"] = "x"
        var shorter = try #require(own(answers))
        shorter["problems"] = nil
        var other = try #require(own(answers))
        other["problems"] = [["code": 7]]
        for broken in ["a text", 7, ["status"], longer, shorter, other] as [Any] {
            let written = refused.answers(after: ["pavise": broken])
            #expect(own(written)?.count == 2 && own(written)?["status"] as? String == "refused")
        }
    }
}
