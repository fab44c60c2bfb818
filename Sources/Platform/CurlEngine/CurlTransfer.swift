internal import CPaviseCurl
internal import Glibc
internal import PavisePrimitives

/// An easy handle that carries one exchange after the other, and what libcurl tells about the current one.
@safe
final class CurlTransfer {
    /// The most bytes of one head, and of all interim heads and trailers together.
    static let headLimit = 64 << 10

    let easy: UnsafeMutableRawPointer
    private(set) var exchange: Exchange?
    private(set) var sink: Exchange.Sink?
    var arena = FieldBuffer()
    var head: [UInt8] = []
    var body: [UInt8] = []
    var headBytes = 0
    var isHeadDone = false
    var uploaded = 0
    var sent = false
    var isPaused = false
    /// Why a callback of ours stopped the transfer; libcurl itself only says that one did.
    var stop: CurlFailure.Reason?
    var connection: JudgedConnection?
    var usesProxy = false
    var isUnpacking = false
    var applied: AppliedOptions?
    private var settings: PoolSettings?
    private var started: Int64 = 0
    private var lastByte: Int64 = 0
    private let message: UnsafeMutablePointer<CChar>

    /// What the loop shares with its transfers.
    let loop: LoopFacts
    /// Whether the exchange may only use a connection with a verdict.
    private(set) var isHTTPS = true
    private(set) var isHandshakeOnly = false
    /// Whether the body is wiped when the exchange is over.
    private(set) var isAnswerSecret = false
    /// The greatest body that is collected, in bytes.
    private(set) var bodyLimit = 0
    private var totalMilliseconds: Int64 = 0
    private var idleMilliseconds: Int64 = 0

    init?(_ loop: LoopFacts, _ sockets: SocketTable) {
        self.loop = loop
        guard let handle = unsafe pavise_curl_easy_init() else { return nil }
        unsafe easy = handle
        unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        unsafe configure(message)
        unsafe sockets.attend(easy)
    }

    deinit {
        unsafe pavise_curl_easy_cleanup(easy)
        unsafe message.deallocate()
    }

    /// The slot that owns a handle of libcurl's.
    static func of(_ easy: UnsafeMutableRawPointer?) -> CurlTransfer? {
        var pointer: UnsafeMutableRawPointer?
        guard unsafe pavise_curl_get_pointer(easy, CURLINFO_PRIVATE, &pointer) == CURLE_OK, let found = unsafe pointer
        else {
            return nil
        }
        return unsafe Unmanaged<CurlTransfer>.fromOpaque(found).takeUnretainedValue()
    }

    func prepare(_ exchange: Exchange, _ sink: Exchange.Sink, pool: PoolState) {
        self.exchange = exchange
        self.sink = sink
        settings = pool.settings
        started = loop.now
        lastByte = loop.now
        isHTTPS = exchange.request.url.utf8.starts(with: "https:".utf8)
        isHandshakeOnly = exchange.request.handshakeOnly
        bodyLimit = exchange.request.bodyLimit
        isAnswerSecret = exchange.request.isAnswerSecret
        totalMilliseconds = exchange.request.totalMilliseconds
        idleMilliseconds = exchange.request.idleMilliseconds
        apply(exchange.request, offersHTTP2: pool.settings.offersHTTP2)
    }

    /// Forgets the exchange and wipes its lines.
    func clear() {
        exchange = nil
        sink = nil
        settings = nil
        connection = nil
        awaited = nil
        stop = nil
        arena.clear()
        head.removeAll(keepingCapacity: true)
        if isAnswerSecret { Wipe.bytes(&body) }
        body = []
        isAnswerSecret = false
        headBytes = 0
        uploaded = 0
        isHeadDone = false
        sent = false
        isPaused = false
        unsafe message[0] = 0
    }

    /// When the exchange began, in nanoseconds of the monotonic clock.
    var begin: Int64 = 0

    /// When the exchange ends by itself. A paused transfer waits for its reader, not for the server.
    var deadline: Int64 {
        guard exchange != nil else { return .max }
        let total = started + totalMilliseconds
        return isPaused ? total : min(total, lastByte + idleMilliseconds)
    }

    func noteActivity() { lastByte = loop.now }

    func resume() {
        isPaused = false
        lastByte = loop.now
        _ = unsafe pavise_curl_easy_pause(easy, CURLPAUSE_CONT)
    }

    /// A new connection of this exchange, to be judged.
    func newConnection() -> JudgedConnection? {
        guard let request = exchange?.request, let judge = settings?.judge else { return nil }
        // A handshake that only shows the server shows it nothing.
        let (host, port) = (request.host, request.port)
        let identity = request.handshakeOnly ? nil : settings?.identity?(host, port)
        // Not the request: it holds a credential, and the verdict lives as long as the connection.
        let made = JudgedConnection(identity: identity, inquiry: inquiry) { judge($0, host, port) }
        connection = made
        return made
    }

    // The loop goes on with this exchange when the answer is there.
    private var inquiry: JudgedConnection.Inquiry? {
        guard !isHandshakeOnly, let exchange, let ask = exchange.request.inquiry else { return nil }
        let (number, post) = (ObjectIdentifier(exchange), loop.post)
        return { chain, verdict, answer in
            ask(chain, verdict) {
                answer($0)
                post(.answered(number))
            }
        }
    }

    /// The socket that libcurl waits for in this exchange; `nil` unless somebody may be asked about its server.
    private(set) var awaited: (socket: Int32, what: EventPoll.Readiness)?

    /// Whether somebody may be asked about the server.
    var mayAsk: Bool { exchange?.request.inquiry != nil }

    /// Notes what libcurl waits for.
    func note(_ socket: Int32, _ what: EventPoll.Readiness) {
        if mayAsk { awaited = (socket, what) }
    }

    /// The socket whose handshake stands still now.
    var standingSocket: Int32? { connection?.isWaiting == true ? awaited?.socket : nil }

    var profile: TLSClientProfile? { settings?.profile }

    var detail: String { unsafe String(cString: message) }
}
