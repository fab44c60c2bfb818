internal import CPaviseCurl
internal import PavisePrimitives

/// A pool as the engine's thread sees it: one multi handle with its connections.
@safe
final class PoolState {
    let number: Int
    let settings: PoolSettings
    var isClosing = false
    /// When libcurl wants to be called even if no socket is ready, in milliseconds; `.max` for never.
    private(set) var timer = Int64.max
    /// Whether libcurl ran since the last look for finished transfers.
    private(set) var isTouched = false
    /// Whether the last exchange ended so soon that waiting for the next one on the caller's thread pays.
    private(set) var isQuick = false
    /// Whether the last answer came over a connection that carries many exchanges at once.
    private(set) var isMultiplexed = false
    /// The one socket that a caller waits for itself; it is not in the poll set meanwhile.
    private(set) var held: (socket: Int32, what: EventPoll.Readiness)?
    private var holds = false
    private let multi: OpaquePointer?
    private let sockets: SocketTable
    private let loop: LoopFacts
    private var count = 0
    // Transfers whose handshake may stand still until somebody answers.
    private var asking: [CurlTransfer] = []

    init(number: Int, settings: PoolSettings, sockets: SocketTable, loop: LoopFacts) {
        self.loop = loop
        self.number = number
        self.settings = settings
        self.sockets = sockets
        unsafe multi = unsafe OpaquePointer(pavise_curl_multi_init())
        configure()
    }

    deinit { _ = unsafe pavise_curl_multi_cleanup(handle) }

    var isIdle: Bool { count == 0 }

    private var handle: UnsafeMutableRawPointer? { unsafe UnsafeMutableRawPointer(multi) }

    private func configure() {
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = unsafe pavise_curl_multi_set_pointer(handle, CURLMOPT_SOCKETDATA, me)
        _ = unsafe pavise_curl_multi_set_pointer(handle, CURLMOPT_TIMERDATA, me)
        _ = unsafe pavise_curl_multi_set_socket_function(handle, watchSocket)
        _ = unsafe pavise_curl_multi_set_timer_function(handle, setTimer)
        _ = unsafe pavise_curl_multi_set_long(handle, CURLMOPT_PIPELINING, 2)
        _ = unsafe pavise_curl_multi_set_long(handle, CURLMOPT_MAX_HOST_CONNECTIONS, settings.connectionsPerHost)
        _ = unsafe pavise_curl_multi_set_long(handle, CURLMOPT_MAX_TOTAL_CONNECTIONS, settings.connections)
        _ = unsafe pavise_curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, settings.connections)
        _ = unsafe pavise_curl_multi_set_long(handle, CURLMOPT_MAX_CONCURRENT_STREAMS, 100)
    }

    func add(_ slot: CurlTransfer) -> Bool {
        guard unsafe pavise_curl_multi_add_handle(handle, slot.easy) == CURLM_OK else { return false }
        count += 1
        if slot.mayAsk { asking.append(slot) }
        timer = min(timer, 0)
        return true
    }

    func remove(_ slot: CurlTransfer) {
        asking.removeAll { $0 === slot }
        guard unsafe pavise_curl_multi_remove_handle(handle, slot.easy) == CURLM_OK else { return }
        count -= 1
        isTouched = true
    }

    func socketIsReady(_ socket: Int32, _ what: EventPoll.Readiness) {
        var mask: Int32 = 0
        if what.contains(.read) { mask |= CURL_CSELECT_IN }
        if what.contains(.write) { mask |= CURL_CSELECT_OUT }
        if what.contains(.error) { mask |= CURL_CSELECT_ERR }
        act(socket, mask)
    }

    func runTimer() {
        guard timer <= loop.now else { return }
        timer = .max
        act(-1, 0)
    }

    /// The next transfer that libcurl is done with.
    func nextDone() -> (CurlTransfer, CURLcode)? {
        isTouched = false
        var left: Int32 = 0
        while let message = unsafe pavise_curl_multi_info_read(handle, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
            guard let slot = unsafe CurlTransfer.of(message.pointee.easy_handle) else { continue }
            return unsafe (slot, message.pointee.data.result)
        }
        return nil
    }

    /// Goes on with a handshake that stood still until somebody answered.
    func release(_ slot: CurlTransfer) {
        guard let (socket, what) = slot.awaited else { return }
        sockets.watch(socket, for: what, key: key(of: socket))
        act(socket, CURL_CSELECT_OUT)
    }

    private func act(_ socket: Int32, _ mask: Int32) {
        var running: Int32 = 0
        _ = unsafe pavise_curl_multi_socket_action(handle, socket, mask, &running)
        isTouched = true
        for slot in asking { rest(slot) }
    }

    // Where nothing may be written, a socket that can be written would report so without end. Looked at after each call
    // and not only when libcurl changes its wish: it says nothing when it waited for writing before.
    private func rest(_ slot: CurlTransfer) {
        guard let socket = slot.standingSocket else { return }
        if held?.socket == socket { held = nil }
        sockets.watch(socket, for: EventPoll.Readiness(read: false, write: false), key: key(of: socket))
    }

    /// An exchange came to this, and took so long from its start to its end.
    func note(_ result: Result<CurlResponse, CurlFailure>, nanoseconds: Int64) {
        isQuick = nanoseconds < EventLoop.patience
        if case .success(let answer) = result { isMultiplexed = answer.head.httpMajor == 2 }
    }

    /// Keeps the next socket that libcurl wants to watch out of the poll set, so that the loop's thread sleeps on.
    func hold() { holds = true }

    /// Watches the held socket as all others.
    func letGo() {
        holds = false
        guard let (socket, what) = held else { return }
        held = nil
        if !what.isEmpty { sockets.watch(socket, for: what, key: key(of: socket)) }
    }

    private func key(of socket: Int32) -> UInt64 { UInt64(number) << 32 | UInt64(UInt32(bitPattern: socket)) }

    fileprivate func wish(milliseconds: Int) {
        timer = milliseconds < 0 ? .max : loop.now + Int64(milliseconds)
    }

    fileprivate func watch(_ socket: Int32, _ what: Int32, isNew: Bool, for slot: CurlTransfer?) {
        let wanted = EventPoll.Readiness(
            read: what & CURL_POLL_IN != 0 && what != CURL_POLL_REMOVE,
            write: what & CURL_POLL_OUT != 0 && what != CURL_POLL_REMOVE)
        if isNew && !wanted.isEmpty { _ = unsafe pavise_curl_multi_assign(handle, socket, handle) }
        if !wanted.isEmpty { slot?.note(socket, wanted) }
        if held?.socket == socket || (holds && isNew && held == nil) {
            if held == nil { sockets.forget(socket) }
            sockets.note(socket, wanted)
            held = (socket, wanted)
            return
        }
        // A second socket: this is no quick exchange over a connection that is there.
        letGo()
        sockets.watch(socket, for: wanted, key: key(of: socket))
    }
}

// `known` is what `watch` assigned; libcurl forgets it when it has no more interest in the socket.
private let watchSocket: pavise_curl_socket_function = { easy, socket, what, user, known in
    guard let user = unsafe user else { return -1 }
    let isNew = unsafe known == nil
    unsafe Unmanaged<PoolState>.fromOpaque(user).takeUnretainedValue().watch(
        socket, what, isNew: isNew, for: unsafe CurlTransfer.of(easy))
    return 0
}

private let setTimer: pavise_curl_timer_function = { _, milliseconds, user in
    guard let user = unsafe user else { return -1 }
    unsafe Unmanaged<PoolState>.fromOpaque(user).takeUnretainedValue().wish(milliseconds: milliseconds)
    return 0
}
