#if canImport(Darwin)
internal import PavisePrimitives

extension HTTPClient {
    /// A URLSession. This only forwards: the decisions are made by the client and by `SessionCarrier`, which the
    /// project's tests run on Linux with the callbacks that Apple documents, over a stand-in of URLSession; it has
    /// never run on an Apple system.
    package static let platformCarrier: MakeCarrier = { (policy, time, options) throws(TransportFailure) in
        SessionCarrier(policy: policy, time: time, options: options) { URLSessionDriver($0, telling: $1) }
    }
}
#endif
