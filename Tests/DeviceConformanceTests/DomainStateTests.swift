import PaviseLocalAuthentication
import SecurityFramework
import TestSupport
import Testing

/// The async form of evaluateAccessControl and the state of a domain, in a file that imports no Foundation.
@Suite struct `Access control, awaited` {
    let keychain: KeychainFixture
    init() throws { keychain = try KeychainFixture() }

    private func control(_ flags: SecAccessControlCreateFlags) throws -> SecAccessControl {
        let made = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)
        return try #require(made)
    }

    @Test func `the owner is asked once, and the keychain need not ask again`() async throws {
        try keychain.setPasscode()
        keychain.person.will(type: "1234")
        let control = try control(.userPresence)
        try await keychain.run {
            let context = LAContext()
            let isDone = try await context.evaluateAccessControl(
                control, operation: .useItem, localizedReason: "For a test.")
            #expect(isDone)
            try await context.evaluateAccessControl(control, operation: .useItem, localizedReason: "For a test.")
        }
        #expect(keychain.person.questions == 1)
    }

    @Test func `a refusal is thrown with Apple's code`() async throws {
        try keychain.setPasscode()
        let (owner, finger) = (try control(.userPresence), try control(.biometryAny))
        await keychain.run {
            await #expect(throws: LAError(.userCancel)) {
                try await LAContext().evaluateAccessControl(owner, operation: .useItem, localizedReason: "x")
            }
            await #expect(throws: LAError(.biometryNotAvailable)) {
                try await LAContext().evaluateAccessControl(finger, operation: .useItem, localizedReason: "x")
            }
            let ended = LAContext()
            ended.invalidate()
            await #expect(throws: LAError(.invalidContext)) {
                try await ended.evaluateAccessControl(owner, operation: .useItem, localizedReason: "x")
            }
        }
    }

    @Test func `nobody is enrolled and nothing is paired, so there is no state to compare`() {
        let state = LAContext().domainState
        let hashes: [Data?] = [
            state.stateHash, state.biometry.stateHash, state.companion.stateHash,
            state.companion.stateHash(for: .watch), LAContext().evaluatedPolicyDomainState,
        ]
        #expect(hashes.allSatisfy { $0 == nil })
        #expect(state.biometry.biometryType == .none && state.companion.availableCompanionTypes.isEmpty)
    }
}
