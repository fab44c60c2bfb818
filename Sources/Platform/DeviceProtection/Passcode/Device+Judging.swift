internal import PaviseCrypto
internal import PavisePrimitives
internal import Synchronization

// In this order: throttle, durable count, stretch, element, unwrap, count to zero.
extension Device {
    /// Judges one passcode. Call it ``alone(_:)``, so that processes at the same time gain no try.
    ///
    /// - Returns: The key that unwraps the guarded classes.
    func judge(_ passcode: SharedSecretBytes, _ bag: Keybag, _ keeper: KeybagWrapper) throws -> PasscodeKey {
        guard let record = bag.passcode else { throw DeviceFailure.noPasscode }
        let length = passcode.bytes.count
        guard (1...Self.longestPasscode).contains(length) else { throw DeviceFailure.passcodeLength }
        let mark = try mark(of: passcode, bag)
        let isRepeated = state.withLock { $0.lastWrong == mark }
        if isRepeated { throw DeviceFailure.wrongPasscode }
        let file = AttemptsFile(home.device, identity: bag.identity, element: element)
        let (before, counted) = try count(record.policy, file)
        let found: PasscodeKey?
        do throws(DeviceFailure) {
            found = try self.key(of: passcode, record, bag, keeper)
        } catch {
            // Nobody judged this try. Where its count cannot be taken back, it stays.
            if Self.isUnjudged(error) { try? file.write(before) }
            throw error
        }
        guard let key = found else {
            state.withLock { $0.lastWrong = mark }
            guard record.policy.erasesAtLimit, counted.failures >= ThrottlePolicy.limit else {
                throw DeviceFailure.wrongPasscode
            }
            try eraseAlone()
            throw DeviceFailure.erased
        }
        try file.write(Attempts())
        state.withLock { $0.lastWrong = nil }
        return key
    }

    static let longestPasscode = 1024

    // Whether the element or the machine failed before it could tell a right passcode from a wrong one.
    private static func isUnjudged(_ failure: DeviceFailure) -> Bool {
        switch failure {
        case .system, .crypto, .busy, .hardware, .elementMissing: true
        default: false
        }
    }

    // The try is on the disk before anything looks at the passcode.
    private func count(
        _ policy: ThrottlePolicy, _ file: AttemptsFile
    ) throws -> (before: Attempts, counted: Attempts) {
        let now = ClockReading(environment.time)
        let attempts = try file.read(policy, at: now)
        switch attempts.gate(policy, at: now) {
        case .open: break
        case .wait(let seconds): throw DeviceFailure.tryLater(seconds: seconds)
        case .restarted(let again, let seconds):
            try file.write(again)
            throw DeviceFailure.tryLater(seconds: seconds)
        case .limit:
            guard policy.erasesAtLimit else { throw DeviceFailure.passcodeBlocked }
            // The tenth try was counted, and its process did not live to draw the consequence.
            try eraseAlone()
            throw DeviceFailure.erased
        }
        let counted = attempts.counting(policy, at: now)
        try file.write(counted)
        try DeviceStep.attemptCounted.reached()
        return (attempts, counted)
    }

    // A passcode is right when it unwraps: nothing else is stored that could be compared with. `nil` for a wrong one.
    private func key(
        of passcode: SharedSecretBytes, _ record: PasscodeRecord, _ bag: Keybag, _ keeper: KeybagWrapper
    ) throws(DeviceFailure) -> PasscodeKey? {
        guard let wrapped = bag.entries[.whenUnlocked], wrapped.method == .passcode else {
            throw .damaged(file: path)
        }
        let identity = bag.identity
        do throws(DeviceFailure) {
            let key = try passcode.bytes.withBytes { passcode throws(DeviceFailure) in
                try record.key(passcode, identity: identity, with: element)
            }
            return keeper.unwraps(wrapped, key) ? key : nil
        } catch {
            guard error == .wrongPasscode else { throw error }
            return nil
        }
    }

    // Tells the same wrong passcode again. The key is random and of this process: nothing to guess against on a disk.
    // Without random bytes there is no mark, and no try.
    private func mark(of passcode: SharedSecretBytes, _ bag: Keybag) throws -> [UInt8] {
        let key = try state.withLock { state in
            if let known = state.markKey { return known }
            let made = SharedSecretBytes(
                try SecretBytes(count: 32) { span throws(EntropyFailure) in try environment.entropy.fill(&span) })
            state.markKey = made
            return made
        }
        return key.bytes.withBytes { key in
            let digest = passcode.bytes.withBytes { HMAC.sha256(key: key, $0) }
            return HMAC.sha256(key: key, digest + bag.epoch)
        }
    }
}
