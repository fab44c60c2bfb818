import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// Gives each test a keychain of its own, from outside: the code under test knows nothing of it.
struct OwnKeychain: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let environment = SecurityEnvironment(home: PaviseHome(path: folder.path + "/home"))
        try await SecurityEnvironment.$override.withValue(environment) { try await function() }
    }
}

extension Trait where Self == OwnKeychain {
    static var ownKeychain: Self { OwnKeychain() }
}
