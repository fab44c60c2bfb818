/// What a connection's server showed in its handshake. One for each connection: answers that came on the same one share
/// it.
package final class PresentedServer: Sendable {
    /// The chain as the rules saw it.
    package let chain: EvaluatedChain

    /// A server from what it showed.
    package init(_ chain: EvaluatedChain) { self.chain = chain }
}
