import Foundation
import PaviseDevice
import PaviseLocalAuthentication
import PavisePrimitives
import SecurityFramework
import Synchronization
import TestSupport
import Testing

@Suite struct `LocalAuthentication` {
    let keychain: KeychainFixture
    init() throws { keychain = try KeychainFixture() }

    private func problem(_ context: LAContext, _ policy: LAPolicy) -> Int? {
        var error: NSError?
        let isPossible = unsafe context.canEvaluatePolicy(policy, error: &error)
        #expect(isPossible == (error == nil))
        #expect(error == nil || error?.domain == LAErrorDomain)
        return error?.code
    }

    @Test("a policy can be evaluated when there is a passcode, and biometry never")
    func canEvaluate() throws {
        keychain.run {
            #expect(problem(LAContext(), .deviceOwnerAuthentication) == -5)
            #expect(problem(LAContext(), .deviceOwnerAuthenticationWithBiometrics) == -6)
            #expect(problem(LAContext(), .deviceOwnerAuthenticationWithWatch) == -11)
            #expect(LAContext().biometryType == .none)
        }
        try keychain.setPasscode()
        keychain.run {
            #expect(problem(LAContext(), .deviceOwnerAuthentication) == nil)
            let ended = LAContext()
            ended.invalidate()
            #expect(problem(ended, .deviceOwnerAuthentication) == -10)
            #expect(keychain.person.questions == 0)
        }
    }

    @Test("an evaluation asks for the passcode, in both forms, and answers once")
    func evaluate() async throws {
        try keychain.setPasscode()
        keychain.person.will(type: "1234")
        keychain.person.will(type: "1234")
        try await keychain.run {
            let isDone = try await LAContext().evaluatePolicy(
                .deviceOwnerAuthentication, localizedReason: "For a test.")
            #expect(isDone)
            let (isOwner, error) = await withCheckedContinuation { continuation in
                LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "For a test.") {
                    continuation.resume(returning: ($0, $1 as? LAError))
                }
            }
            #expect(isOwner && error == nil)
        }
        #expect(keychain.person.questions == 2)
    }

    @Test("each refusal has Apple's code")
    func refusals() async throws {
        await keychain.run {
            await #expect(throws: LAError(.passcodeNotSet)) {
                try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "x")
            }
        }
        try keychain.setPasscode()
        await keychain.run {
            await #expect(throws: LAError(.userCancel)) {
                try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "x")
            }
            let quiet = LAContext()
            quiet.interactionNotAllowed = true
            await #expect(throws: LAError(.notInteractive)) {
                try await quiet.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "x")
            }
            await #expect(throws: LAError(.biometryNotAvailable)) {
                try await LAContext().evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "x")
            }
            for guess in ["1", "2", "3"] { keychain.person.will(type: guess) }
            await #expect(throws: LAError(.authenticationFailed)) {
                try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "x")
            }
        }
    }

    // https://developer.apple.com/documentation/localauthentication/lacontext/evaluatepolicy(_:localizedreason:reply:):
    // an exception there.
    @Test("nobody is asked without a reason, in either form")
    func withoutReason() async throws {
        try keychain.setPasscode()
        keychain.person.will(type: "1234")
        let owner = try shown(.userPresence)
        await keychain.run {
            await #expect(throws: LAError(.notInteractive)) {
                try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "")
            }
            await #expect(throws: LAError(.notInteractive)) {
                try await LAContext().evaluateAccessControl(owner, operation: .useItem, localizedReason: "")
            }
        }
        #expect(keychain.person.questions == 0)
    }

    @Test("a context that was evaluated opens items without a question, until it is invalidated")
    func reuse() async throws {
        try keychain.setPasscode()
        keychain.person.will(type: "1234")
        try await keychain.run {
            add(password("anna", control(.userPresence)))
            let context = LAContext()
            let using = [kSecUseAuthenticationContext as String: context as Any]
            try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "x")
            for _ in 0..<3 { #expect(value(password(), using) == (errSecSuccess, "secret")) }
            context.interactionNotAllowed = true
            #expect(value(password(), using) == (errSecSuccess, "secret"))
            #expect(keychain.person.questions == 1)
            context.invalidate()
            #expect(value(password(), using) == (errSecAuthFailed, nil))
            let quiet = LAContext()
            quiet.interactionNotAllowed = true
            let silently = [kSecUseAuthenticationContext as String: quiet as Any]
            #expect(value(password(), silently) == (errSecInteractionNotAllowed, nil))
            #expect(keychain.person.questions == 1)
        }
    }

    @Test("KC59: a credential of the context is the application's password")
    func credential() {
        keychain.run {
            let context = LAContext()
            #expect(!context.isCredentialSet(.applicationPassword))
            #expect(context.setCredential(Data("right".utf8), type: .applicationPassword))
            #expect(context.isCredentialSet(.applicationPassword))
            #expect(!context.setCredential(Data(), type: .smartCardPIN))
            let using = [kSecUseAuthenticationContext as String: context as Any]
            #expect(add(password("anna", control(.applicationPassword)).merging(using) { $1 }) == errSecSuccess)
            #expect(value(password(), using) == (errSecSuccess, "secret"))
            let wrong = LAContext()
            wrong.setCredential(Data("wrong".utf8), type: .applicationPassword)
            let guessing = [kSecUseAuthenticationContext as String: wrong as Any]
            #expect(value(password(), guessing) == (errSecAuthFailed, nil))
            wrong.setCredential(nil, type: .applicationPassword)
            wrong.interactionNotAllowed = true
            #expect(value(password(), guessing) == (errSecInteractionNotAllowed, nil))
            #expect(keychain.person.questions == 0)
        }
    }

    private func shown(_ flags: SecAccessControlCreateFlags) throws -> SecAccessControl {
        let made = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)
        return try #require(made)
    }

    @Test func `a context that was ended is shown nothing, and nobody is asked`() async throws {
        keychain.person.will(type: "right")
        let flags: [SecAccessControlCreateFlags] = [.applicationPassword, []]
        let controls = try flags.map { try shown($0) }
        await keychain.run {
            let ended = LAContext()
            ended.invalidate()
            for control in controls {
                await #expect(throws: LAError(.invalidContext)) {
                    try await ended.evaluateAccessControl(control, operation: .useItem, localizedReason: "x")
                }
            }
        }
        #expect(keychain.person.questions == 0)
    }

    @Test func `a context that is ended while a person types is shown nothing`() async throws {
        let control = try shown(.applicationPassword)
        let context = LAContext()
        var typing = keychain
        typing.environment.evaluator = SystemEvaluator(EndingPerson(context))
        await typing.run {
            await #expect(throws: LAError(.appCancel)) {
                try await context.evaluateAccessControl(control, operation: .useItem, localizedReason: "x")
            }
            await #expect(throws: LAError(.invalidContext)) {
                try await context.evaluateAccessControl(control, operation: .useItem, localizedReason: "x")
            }
        }
        #expect(!context.isCredentialSet(.applicationPassword))
    }

    @Test func `an owner who answers after the context was ended has answered nobody`() async throws {
        try keychain.setPasscode()
        let context = LAContext()
        var typing = keychain
        typing.environment.evaluator = SystemEvaluator(EndingPerson(context, "1234"))
        await typing.run {
            await #expect(throws: LAError(.appCancel)) {
                try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "x")
            }
            await #expect(throws: LAError(.invalidContext)) {
                try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "x")
            }
        }
    }

    @Test("anything else than a context is refused as one")
    func foreignContext() {
        keychain.run {
            add(password())
            #expect(value(password(), [kSecUseAuthenticationContext as String: "text"]).0 == errSecParam)
            let both: [String: Any] = [
                kSecUseAuthenticationContext as String: LAContext(),
                kSecUseCredentialReference as String: Data(),
            ]
            #expect(value(password(), both).0 == errSecParam)
        }
    }

    @Test("an error crosses as NSError and comes back")
    func bridging() {
        let error: any Error = LAError(.userCancel)
        #expect((error as NSError).code == -2)
        #expect((error as NSError).domain == LAErrorDomain)
        #expect((error as? LAError)?.code == .userCancel)
        #expect(LAError(_nsError: LAError(.passcodeNotSet)._nsError).code == .passcodeNotSet)
        switch error {
        case LAError.userCancel: break
        default: Issue.record("not matched")
        }
    }
}

/// Ends a context while it types.
private final class EndingPerson: PasscodeAsker {
    private let context: LAContext
    private let text: String

    init(_ context: LAContext, _ text: String = "right") {
        self.context = context
        self.text = text
    }

    func ask(_ question: PasscodeQuestion) throws(DeviceFailure) -> SecretBytes {
        context.invalidate()
        return SecretBytes(utf8: text)
    }
}
