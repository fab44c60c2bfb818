package import PaviseTransport

/// Why a request that has to do with tokens got no answer.
package enum TokenSendFailure: Error, Hashable, Sendable {
    /// The key that the tokens are bound to is gone or another one: nobody can use them any more.
    case keyLost
    /// The client sent nothing, or got nothing back.
    case transport(TransportFailure)
}
