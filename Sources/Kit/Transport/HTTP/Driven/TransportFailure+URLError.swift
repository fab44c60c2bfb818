extension TransportFailure {
    /// What a number of NSURLErrorDomain means for the person at `origin`, where no refusal of ours ended the task.
    ///
    /// - Parameter proxy: What the task went through.
    init(_ error: DrivenError, at origin: Origin, through proxy: ProxyEndpoint? = nil) {
        switch error.code {
        case 306, 310, 311: self = .network(Self.unreached(through: proxy, origin), sent: false)
        // URLSession does not tell whether the proxy or the server behind it was not reached.
        case -1006 where proxy != nil, -1004 where proxy != nil, -1003 where proxy != nil:
            self = .network(Self.unreached(through: proxy, origin), sent: false)
        case -1003, -1006:
            self = .unknownName(origin.host)
        case -1004:
            self = .network(
                "Nobody answers at \(origin.host) port \(origin.port). Check the port, the server and the network.",
                sent: false)
        case -999: self = .cancelled(sent: true)
        case -1000, -1002: self = .unusableRequest("URLSession reads the address differently.")
        case -1001: self = .timeout(sent: true)
        case -1005: self = .network("The connection was lost before the answer came.", sent: true)
        case -1009, -1018, -1019, -1020: self = .network("This device has no network now.", sent: false)
        case -1011, -1017: self = .malformed("The answer is no HTTP.")
        case -1015, -1016: self = .malformed("The answer's packed content is damaged.")
        case -1022:
            self = .refusedByATS(
                ATSRefusal(.requiresSecureConnection, at: origin, "Plain http to \(origin.host) is refused. Use https.")
            )
        case -1200: self = .tls("The handshake failed.", code: Self.code(error.streamCode) ?? .secureConnectionFailed)
        case -1204 ... -1201:
            // Ours had trusted it, or was not asked: App Transport Security or the pins of the Info.plist.
            self = .tls(
                "The system refuses the server's certificate. Look at NSAppTransportSecurity in the app's Info.plist.",
                code: Self.code(error.streamCode) ?? .certificateUntrusted)
        case -1206, -1205:
            self = .tls("The server demands a client certificate.", code: .secureConnectionFailed)
        default: self = .network("URLSession stopped with code \(error.code).", sent: true)
        }
    }

    /// The words for a request that did not get past its proxy.
    static func unreached(through proxy: ProxyEndpoint?, _ origin: Origin) -> String {
        let name = proxy.map { "The proxy \($0.host) port \($0.port)" } ?? "The proxy of the system's settings"
        return "\(name) does not lead to \(origin.host). Check its address, and that it lets this app through."
    }

    private static func code(_ number: Int?) -> ATSFailureCode? { number.flatMap(ATSFailureCode.init(rawValue:)) }
}
