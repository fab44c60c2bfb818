package import PavisePrimitives

/// What the carrier asks of a URLSession: a task for a message, and an end. The adapter of Apple's systems forwards
/// each call; a stand-in plays the documented callbacks where there is no URLSession.
package protocol DrivenSession: AnyObject, Sendable {
    /// A task for `message` that has not begun (`dataTask(with:)`, for a file `uploadTask(withStreamedRequest:)`).
    ///
    /// - Returns: `nil` when the system reads the address differently.
    func task(for message: DrivenMessage) -> (any DrivenTask)?
    /// Lets running tasks end, and takes no more (`finishTasksAndInvalidate()`).
    func finish()
    /// Ends every task with an error (`invalidateAndCancel()`).
    func cancel()
}

/// One task of a URLSession. None of the calls waits, and none calls back before it has returned.
package protocol DrivenTask: AnyObject, Sendable {
    /// The number that the callbacks name (`taskIdentifier`).
    var number: Int { get }
    /// Begins, or goes on.
    func resume()
    /// Stops reading from the server. What was read already may still be told.
    func suspend()
    /// Ends the task with an error.
    func cancel()
}

/// What a URLSession tells about its tasks, one call at a time, as Apple documents the delegate's methods.
package protocol DrivenEvents: AnyObject, Sendable {
    /// The server, or something on the way, wants to be trusted or to know who asks (`urlSession(_:task:didReceive:)`).
    func challenged(_ task: Int, by challenge: DrivenChallenge) -> DrivenResponse
    /// The server sends the client elsewhere (`willPerformHTTPRedirection`).
    ///
    /// - Returns: Whether URLSession follows by itself; `false` makes the redirect the answer.
    func redirected(_ task: Int) -> Bool
    /// The body of an upload is wanted, from its first byte on (`needNewBodyStream`). The one of before ends.
    ///
    /// - Returns: `nil` where there is none.
    func body(of task: Int) -> (any PumpedBody)?
    /// The head of the answer is there (`didReceive response`).
    ///
    /// - Returns: Whether the body is wanted; `false` cancels the task.
    func answered(_ task: Int, _ head: DrivenHead) -> Bool
    /// A part of the body came (`didReceive data`).
    func received(_ task: Int, _ bytes: [UInt8])
    /// How long it took, and what the connection was (`didFinishCollecting metrics`).
    func measured(_ task: Int, _ measurement: DrivenMeasurement)
    /// Nothing more comes (`didCompleteWithError`); `nil` for an answer that is whole.
    func completed(_ task: Int, _ error: DrivenError?)
}

/// Makes a session whose tasks are told to `events`, which it keeps until it is over.
package typealias MakeSession = @Sendable (_ settings: DrivenSettings, _ events: any DrivenEvents) -> any DrivenSession

/// What a session is made with. Caches, cookies and stored credentials of the system are always off.
package struct DrivenSettings: Hashable, Sendable {
    /// The most connections to one host at a time.
    package let connectionsPerHost: Int
    /// The proxy of all its requests (`proxyConfigurations`); `nil` leaves it to the system's settings.
    package var proxy: ProxyEndpoint?
}

/// Who asks inside a handshake, or after it.
package enum DrivenChallenge: Sendable {
    /// A server shows its certificates, DER, the leaf first.
    case server(certificates: [[UInt8]], host: String, port: Int)
    /// A server asks for a certificate of ours.
    case client(host: String, port: Int)
    /// Something else: a password, a proxy.
    case other
}

/// What a challenge is answered with.
package enum DrivenResponse: Sendable {
    /// The server is trusted (`useCredential`, with its trust object).
    case trust
    /// This is our certificate (`useCredential`, with its identity).
    case identity(ClientCertificate)
    /// Go on without any (`performDefaultHandling`): for a server that asks for a certificate and may not get one.
    case nothing
    /// End the connection (`cancelAuthenticationChallenge`).
    case refuse
    /// This way of asking is not served (`rejectProtectionSpace`): a 401 becomes the answer.
    case reject
}

/// The head of an answer. URLSession joins lines of the same name by a comma.
package struct DrivenHead: Sendable {
    package let status: Int
    package let fields: [HTTPFields.Field]

    package init(status: Int, fields: [HTTPFields.Field]) {
        self.status = status
        self.fields = fields
    }
}

/// Why a task ended: the number of NSURLErrorDomain, and that of the TLS library below it where the system tells.
package struct DrivenError: Hashable, Sendable {
    /// A positive number is one of CFNetwork's, for example 310 for a proxy that was not reached.
    package let code: Int
    package let streamCode: Int?

    /// NSURLErrorUnknown for the error of another domain: the numbers of two domains are not the same errors.
    package init(domain: String = "NSURLErrorDomain", code: Int, streamCode: Int? = nil) {
        switch domain {
        case "NSURLErrorDomain": self.code = min(code, -1)
        case "kCFErrorDomainCFNetwork": self.code = max(code, 1)
        default: self.code = -1
        }
        self.streamCode = streamCode
    }
}

/// What the metrics of a task say about its last transaction.
package struct DrivenMeasurement: Hashable, Sendable {
    /// `h2`, `http/1.1`.
    package var protocolName: String?
    /// The number on the wire, for example 0x0304.
    package var tlsVersion: UInt16?
    /// The number on the wire.
    package var cipherSuite: UInt16?
    /// Whether a connection that was there already carried it.
    package var isReused = false
    package var nameLookup: Duration = .zero
    package var connect: Duration = .zero
    package var tls: Duration = .zero
    package var firstByte: Duration = .zero
    package var total: Duration = .zero
    package var sent: Int64 = 0
    package var received: Int64 = 0

    package init() {}
}
