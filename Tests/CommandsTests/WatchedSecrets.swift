import PaviseCommands
import PavisePrimitives
import Synchronization
import TestSupport
import Testing

/// What a person typed in a test, and a look that the program prints none of it.
final class WatchedSecrets: Sendable {
    private let known = Mutex<Set<String>>([])

    /// Watches for one more.
    func insert(_ secret: String) { known.withLock { _ = $0.insert(secret) } }

    /// Runs `pavise` with `words`; a secret of `minimum` characters that is printed anywhere fails the test.
    ///
    /// - Parameter minimum: What is shorter may be a part of something else that is printed.
    func run(
        _ words: [String], typing typed: [String], minimum: Int = 1,
        in environment: (_ output: MemorySink, _ messages: MemorySink) -> Environment
    ) async -> LabStage.Result {
        let known = known.withLock { known in
            known.formUnion(typed)
            return known
        }
        let output = MemorySink()
        let messages = MemorySink()
        let status = await Program.run(words, in: environment(output, messages))
        let text = output.text + messages.text
        for secret in known where secret.count >= minimum {
            #expect(!text.contains(secret), "\(words) printed a secret")
        }
        return LabStage.Result(status: status, output: output.text, messages: messages.text)
    }
}
