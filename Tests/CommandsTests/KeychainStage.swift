import PaviseCommands
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// Gives each test a real keychain of its own.
struct OwnKeychain: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let environment = SecurityEnvironment(home: PaviseHome(path: folder.path + "/home"))
        try await SecurityEnvironment.$override.withValue(environment) { try await function() }
    }
}

extension Trait where Self == OwnKeychain {
    static var ownKeychain: Self { OwnKeychain() }
}

/// What a command of `security` did.
struct SecurityOutput {
    let status: Int32
    let output: String
    let messages: String

    /// Runs `security` with `words`; a person types `secrets`.
    init(_ words: [String], typing secrets: [String] = []) {
        let stage = Stage()
        for secret in secrets { stage.person.willType(secret: secret) }
        status = SecurityTool.run(words[...], in: stage.environment)
        output = stage.output.text
        messages = stage.messages.text
    }

    /// Runs a line without blanks inside its words.
    init(_ line: String, typing secrets: String...) {
        self.init(line.split(separator: " ").map(String.init), typing: secrets)
    }
}

/// What SecItemCopyMatching finds; `nil` when it fails.
func found(_ query: [CFString: Any]) -> CFTypeRef? {
    var result: CFTypeRef?
    let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
    return status == errSecSuccess ? result : nil
}
