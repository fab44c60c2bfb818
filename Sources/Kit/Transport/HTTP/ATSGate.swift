internal import Synchronization

/// What App Transport Security says about each request of one client: the configuration, and the networks that count as
/// local.
///
/// A class because it is asked for each request, and lending one costs less than copying the keys.
package final class ATSGate: Sendable {
    /// The keys of the app.
    package let configuration: ATSConfiguration
    private let links: @Sendable () -> LocalLinks
    // One client mostly talks to one host. What is decided about a name depends on nothing but the keys.
    private let latest = Mutex<(origin: Origin, parameters: ATSParameters)?>(nil)

    /// A gate; `links` is asked only where the answer can matter.
    package init(_ configuration: ATSConfiguration, links: @escaping @Sendable () -> LocalLinks = { .current }) {
        self.configuration = configuration
        self.links = links
    }

    /// The decision about `origin`, the same that `pavise ats decide` prints.
    package func decision(about origin: Origin) -> ATSDecision {
        ATSDecision(origin, isDirect: isDirect(origin), configuration: configuration)
    }

    /// What a connection to `origin` has to keep.
    ///
    /// - Throws: ``TransportFailure/refusedByATS(_:)`` when there may be none.
    package func admit(_ origin: Origin) throws(TransportFailure) -> ATSParameters {
        let known = latest.withLock { $0?.origin == origin ? $0?.parameters : nil }
        if let known { return known }
        let decision = decision(about: origin)
        if let refusal = decision.refusal(of: origin) { throw .refusedByATS(refusal) }
        let parameters = decision.parameters
        if !origin.isAddress { latest.withLock { $0 = (origin, parameters) } }
        return parameters
    }

    // Nothing counts as local where the configuration says so. The system is asked for its networks only for an
    // address.
    private func isDirect(_ origin: Origin) -> Bool {
        guard configuration.localNetworking != false else { return false }
        return origin.isDirectByName || origin.isAddress && links().isDirect(origin)
    }
}
