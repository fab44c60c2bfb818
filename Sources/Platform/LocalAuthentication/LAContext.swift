public import Foundation
package import PaviseDevice
package import PavisePrimitives
internal import SecurityFramework
internal import Synchronization

/// Lets the owner of the device show that it is they: on Linux with the passcode, through pinentry, PAVISE_ASKPASS or
/// the terminal.
///
/// A context that was evaluated is handed to the keychain as `kSecUseAuthenticationContext`: then nobody is asked
/// again. It keeps the proof in memory until ``invalidate()`` or its end, and keeps no passcode.
///
/// ```swift
/// let context = LAContext()
/// guard try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Show the diary.") else {
///     return false
/// }
/// ```
// Safe to share: everything that changes lies in a Mutex.
open class LAContext: NSObject, @unchecked Sendable {
    struct State {
        var reason = ""
        var fallbackTitle: String?
        var cancelTitle: String?
        var isQuiet = false
        var reuseDuration: TimeInterval = 0
        var isInvalid = false
        var presence: PresenceKey?
        var password: SharedSecretBytes?
    }

    // A class: a subclass of NSObject cannot hold a Mutex by itself.
    final class Box: Sendable {
        let state = Mutex(State())
    }
    let box = Box()

    /// A context that nothing was shown to yet.
    public override init() { super.init() }

    /// The words of a prompt that the keychain causes.
    open var localizedReason: String {
        get { box.state.withLock { $0.reason } }
        set { box.state.withLock { $0.reason = newValue } }
    }
    /// Kept, and not shown: there is no other way than the passcode.
    open var localizedFallbackTitle: String? {
        get { box.state.withLock { $0.fallbackTitle } }
        set { box.state.withLock { $0.fallbackTitle = newValue } }
    }
    /// Kept, and not shown: the prompt has its own.
    open var localizedCancelTitle: String? {
        get { box.state.withLock { $0.cancelTitle } }
        set { box.state.withLock { $0.cancelTitle = newValue } }
    }
    /// Whether it is forbidden to ask a person.
    open var interactionNotAllowed: Bool {
        get { box.state.withLock { $0.isQuiet } }
        set { box.state.withLock { $0.isQuiet = newValue } }
    }
    /// Kept, without effect: it is about biometry.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { box.state.withLock { $0.reuseDuration } }
        set { box.state.withLock { $0.reuseDuration = newValue } }
    }
    /// ``LABiometryType/none``.
    open var biometryType: LABiometryType { .none }
    /// Who is enrolled and which companion devices there are: nobody and none, so each hash in it is `nil`.
    open var domainState: LADomainState { LADomainState() }
    /// `nil`: nobody is enrolled. Apple's systems have ``domainState`` in its place since iOS 18.
    open var evaluatedPolicyDomainState: Data? { nil }

    /// Ends the context: the proof and the credential are wiped, and every later use fails with
    /// ``LAError/Code/invalidContext``. What a person is just being asked fails with ``LAError/Code/appCancel`` when it
    /// is answered; the question itself stays until then.
    open func invalidate() {
        box.state.withLock { state in
            state.isInvalid = true
            state.presence = nil
            state.password = nil
        }
    }

    /// Brings the program's own password; `nil` takes it back.
    ///
    /// - Returns: Whether the kind of credential is known and the context is valid.
    @discardableResult
    open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
        guard type == .applicationPassword else { return false }
        let secret = credential.map { data in
            var bytes = Array(data)
            defer { Wipe.bytes(&bytes) }
            return SharedSecretBytes(SecretBytes(copying: bytes.span))
        }
        return box.state.withLock { state in
            guard !state.isInvalid else { return false }
            state.password = secret
            return true
        }
    }

    /// Whether the program brought a credential.
    open func isCredentialSet(_ type: LACredentialType) -> Bool {
        type == .applicationPassword && box.state.withLock { $0.password != nil }
    }
}

extension LAContext: AuthenticationContext {
    /// Whether a person may be asked.
    package var mayInteract: Bool { !interactionNotAllowed }

    /// The proof from before, or a fresh one. Without a reason nobody is asked.
    package func presence(of device: Device, reason: String?) throws(DeviceFailure) -> PresenceKey {
        let (isInvalid, known, own) = box.state.withLock { ($0.isInvalid, $0.presence, $0.reason) }
        guard !isInvalid else { throw .contextInvalid }
        if let known { return known }
        guard let reason, mayInteract else { throw .notInteractive }
        let environment = SecurityEnvironment.current
        let key = try environment.evaluator.presence(
            of: device.home, reason: own.isEmpty ? reason : own, context: nil)
        return try keep(key)
    }

    func keep(_ key: PresenceKey) throws(DeviceFailure) -> PresenceKey {
        let isInvalid = box.state.withLock { state in
            if !state.isInvalid { state.presence = key }
            return state.isInvalid
        }
        // Invalidated while the person was typing.
        guard !isInvalid else { throw .contextInvalid }
        return key
    }

    /// Whether ``invalidate()`` was called.
    package var isInvalid: Bool { box.state.withLock { $0.isInvalid } }

    /// The program's own password.
    package var applicationPassword: SharedSecretBytes? { box.state.withLock { $0.password } }
}
