import AppleFoundation
import PavisePrimitives
import PaviseTransport
import Testing

@testable import PaviseManaged

/// An administrator's rules in the app's preferences, as a Mac has them, over user defaults in memory. One after the
/// other: there is one place.
@Suite(.serialized) struct ManagedPreferencesTests {
    private static let configuration = "com.apple.configuration.managed"
    private static let feedback = "com.apple.feedback.managed"
    private let defaults = UserDefaults.standard
    private let refused = ManagedReport(
        .failure(.content("x", .unusable([ManagedProblem(.misspelt, "Pavise", "pavise")]))))

    init() {
        defaults.force(nil, forKey: Self.configuration)
        defaults.removeObject(forKey: Self.configuration)
        defaults.removeObject(forKey: Self.feedback)
    }

    private var answer: [String: Any]? { defaults.dictionary(forKey: Self.feedback)?["pavise"] as? [String: Any] }

    @Test func `an app that was given nothing is not managed`() throws {
        #expect(try ManagedFile.current.read() == nil)
        defaults.set("a text", forKey: Self.configuration)
        #expect(try ManagedFile.current.read() == nil)
        defaults.set(["theme": "dark"], forKey: Self.configuration)
        #expect(try ManagedFile.current.read() == nil)
    }

    @Test func `rules hold where the system says that an administrator set them, and stop everything elsewhere`() throws
    {
        let rules: [String: Any] = ["pavise": ["allowedServers": ["a.example"]], "theme": "dark"]
        defaults.set(rules, forKey: Self.configuration)
        #expect(throws: ManagedFile.Failure.notForced(Self.configuration)) { try ManagedFile.current.read() }
        defaults.force(rules, forKey: Self.configuration)
        let expected = try ManagedConfiguration(json: Array(#"{"allowedServers":["a.example"]}"#.utf8))
        #expect(try ManagedFile.current.read() == expected)
        #expect(try ManagedFile.current.found()?.path == Self.configuration)
    }

    @Test func `what an administrator set in another form than a dictionary stops everything`() {
        for slip in ["a text", 7, ["pavise"]] as [Any] {
            defaults.force(slip, forKey: Self.configuration)
            #expect(throws: ManagedFile.Failure.content(Self.configuration, .noObject)) {
                try ManagedFile.current.read()
            }
        }
    }

    @Test func `an answer stands beside those of others, and the same one is written once`() throws {
        defaults.set(["battery": 7], forKey: Self.feedback)
        let before = defaults.changes
        ManagedFile.current.tell(refused)
        #expect(defaults.dictionary(forKey: Self.feedback)?["battery"] as? Int == 7)
        #expect(answer?["status"] as? String == "refused")
        // The app is told of its own change, reads the rules again, and has the same to say.
        ManagedFile.current.tell(refused)
        #expect(defaults.changes == before + 1)
        ManagedFile.current.tell(ManagedReport(.success(nil)))
        #expect(defaults.changes == before + 2 && answer?["status"] as? String == "unmanaged")
    }

    @Test func `without a dictionary of answers, or with a broken one, there is one afterwards`() {
        ManagedFile.current.tell(refused)
        #expect(answer?["status"] as? String == "refused")
        for broken in ["a text", ["pavise": 7]] as [Any] {
            defaults.set(broken, forKey: Self.feedback)
            ManagedFile.current.tell(refused)
            #expect(answer?["status"] as? String == "refused")
        }
    }
}
