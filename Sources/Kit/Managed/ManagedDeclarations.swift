internal import PavisePrimitives
internal import Synchronization

/// An administrator's rules that a system hands over one after the other, for as long as the app runs: Apple's
/// declarative channel (the framework ManagedApp). A test plays it.
///
/// The system asks for a type that decodes each configuration, tells the management server whether that worked, and
/// gives a value, or none both where nothing is configured and where nothing could be decoded. What was refused is
/// therefore kept here: no value after a refusal is no freedom from rules.
package final class ManagedDeclarations: Sendable {
    /// What the channel said last.
    package enum Standing: Hashable, Sendable {
        /// Nothing yet.
        case awaited
        /// There are no rules for Pavise.
        case unmanaged
        /// The rules.
        case rules(ManagedConfiguration)
        /// What came last cannot be used.
        case refused(ManagedConfiguration.Failure)
    }

    private struct State {
        var standing = Standing.awaited
        var refusal: ManagedConfiguration.Failure?
        var count = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var observers: [@Sendable () -> Bool] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// What the channel said last.
    package var standing: Standing { state.withLock { $0.standing } }

    /// Reads one configuration; whoever decodes it for the system throws what this throws.
    ///
    /// - Returns: `nil` where it says nothing about Pavise.
    package func decode(_ decoder: any Decoder) throws(ManagedConfiguration.Failure) -> ManagedConfiguration? {
        do throws(ManagedConfiguration.Failure) {
            let found = try ManagedMember.rules(in: try DeclaredValue.read(ManagedMember.key, of: decoder))
            var rules: ManagedConfiguration?
            if let found { rules = try ManagedConfiguration(found) }
            state.withLock { $0.refusal = nil }
            return rules
        } catch {
            state.withLock { $0.refusal = error }
            throw error
        }
    }

    /// Takes what the system gave.
    ///
    /// - Parameter configuration: `nil` where it gave none; the inner one is what ``decode(_:)`` returned.
    package func take(_ configuration: ManagedConfiguration??) {
        let (waiting, observers) = state.withLock { state in
            let before = state.standing
            state.standing = Self.standing(configuration, after: state.refusal)
            state.refusal = nil
            defer { state.waiting = [:] }
            return (state.waiting.values.map { $0 }, state.standing == before ? [] : state.observers)
        }
        for one in waiting { one.resume() }
        guard !observers.isEmpty else { return }
        let gone = observers.map { $0() }
        guard gone.contains(false) else { return }
        state.withLock { state in
            // Observers that came meanwhile stand behind these.
            state.observers = zip(observers, gone).filter(\.1).map(\.0) + state.observers.dropFirst(observers.count)
        }
    }

    private static func standing(
        _ configuration: ManagedConfiguration??, after refusal: ManagedConfiguration.Failure?
    ) -> Standing {
        if let configuration { return configuration.map(Standing.rules) ?? .unmanaged }
        return refusal.map(Standing.refused) ?? .unmanaged
    }

    /// Returns once the channel has said something, or when the task that waits is cancelled.
    package func ready() async {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.standing == .awaited, !Task.isCancelled else { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
    }

    /// Calls `body` after each change until it returns `false`.
    package func observe(_ body: @escaping @Sendable () -> Bool) { state.withLock { $0.observers.append(body) } }
}
