internal import CPaviseCurl
internal import Glibc
internal import PavisePrimitives

/// The sockets in the poll set. A kept connection stays there between two requests: to take its socket out and put it
/// back would be two system calls for each request. Touched under the loop's lock alone.
final class SocketTable {
    private struct Entry {
        var key: UInt64
        var what: EventPoll.Readiness
        var isParked = false
    }
    private let poll: EventPoll
    private var entries: [Int32: Entry] = [:]
    // Only these are kept in the set: libcurl tells when it closes one, and does not for the pipes of its resolver.
    private var connections: Set<Int32> = []
    private var held: [Int32] = []
    // Those that the kernel did not take: it has no memory, or the user watches too much. They are tried again.
    private var unwatched: Set<Int32> = []

    init(poll: EventPoll) { self.poll = poll }

    /// Watches `socket` for `what`; an empty set means that nobody waits for it now.
    func watch(_ socket: Int32, for what: EventPoll.Readiness, key: UInt64) {
        note(socket, what)
        guard !what.isEmpty else {
            guard connections.contains(socket) else { return forget(socket) }
            entries[socket]?.isParked = true
            return
        }
        let known = entries[socket]
        entries[socket] = Entry(key: key, what: what)
        if let known, known.key == key, known.what == what { return }
        enter(socket, isNew: known == nil)
    }

    /// Whether sockets wait for a place in the poll set: nobody wakes the loop for them.
    var hasUnwatched: Bool { !unwatched.isEmpty }

    /// Tries again to watch what the kernel did not take.
    func watchAgain() {
        for socket in unwatched { enter(socket, isNew: true) }
    }

    private func enter(_ socket: Int32, isNew: Bool) {
        guard let entry = entries[socket] else { return }
        do throws(SystemFailure) {
            try poll.watch(socket, for: entry.what, key: entry.key, isNew: isNew)
            unwatched.remove(socket)
        } catch {
            unwatched.insert(socket)
        }
    }

    /// Learns from what somebody waits for whether `socket` is a connection: its first wait is for being connected.
    func note(_ socket: Int32, _ what: EventPoll.Readiness) {
        if what.contains(.write) { connections.insert(socket) }
    }

    /// Whether anybody waits for `socket` under `key`. One that nobody waits for leaves the set: it would report for
    /// ever.
    func isWanted(_ socket: Int32, key: UInt64) -> Bool {
        // Another key: the event is older than the socket that has the number now.
        guard let known = entries[socket], known.key == key else { return false }
        if known.isParked { forget(socket) }
        return !known.isParked
    }

    /// Takes `socket` out of the set.
    func forget(_ socket: Int32) {
        unwatched.remove(socket)
        guard entries.removeValue(forKey: socket) != nil else { return }
        poll.forget(socket)
    }

    /// Lets what `count` requests write to the connections of `pool` wait until ``release()``: requests that start
    /// together leave together, and the server reads them at once.
    ///
    /// Does nothing where that takes more system calls than it saves: with less than two requests for each connection.
    func hold(pool: Int, for count: Int) {
        let sockets = connections.filter { entries[$0].map { Int($0.key >> 32) } == pool }
        guard sockets.count * 2 <= count else { return }
        for socket in sockets { setHeld(socket, 1) }
        held += sockets
    }

    /// Sends what waits.
    func release() {
        for socket in held { setHeld(socket, 0) }
        held.removeAll(keepingCapacity: true)
    }

    private func setHeld(_ socket: Int32, _ value: Int32) {
        var value = value
        _ = unsafe setsockopt(socket, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    fileprivate func close(_ socket: Int32) -> Int32 {
        connections.remove(socket)
        held.removeAll { $0 == socket }
        forget(socket)
        return Glibc.close(socket)
    }

    /// Makes libcurl tell this table before it closes a connection of `easy`. The table must outlive all connections.
    func attend(_ easy: UnsafeMutableRawPointer) {
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = unsafe pavise_curl_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, me)
        _ = unsafe pavise_curl_set_close_function(easy, closeSocket)
    }
}

private let closeSocket: pavise_curl_close_function = { user, socket in
    guard let user = unsafe user else { return close(socket) }
    return unsafe Unmanaged<SocketTable>.fromOpaque(user).takeUnretainedValue().close(socket)
}
