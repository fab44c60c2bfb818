internal import CPaviseCurl
internal import Glibc
internal import PavisePrimitives

/// The sockets in the poll set. A kept connection stays there between two requests: to take its socket out and put it back would
/// be two system calls for each request. Touched under the loop's lock alone.
@safe
final class SocketTable {
    private struct Entry {
        var key: UInt64
        var what: EventPoll.Readiness
        // Only a socket that was connected: libcurl tells when it closes one, and does not for the pipes of its resolver.
        var isConnection: Bool
        var isParked = false
    }
    private let poll: EventPoll
    private var entries: [Int32: Entry] = [:]

    init(poll: EventPoll) { self.poll = poll }

    /// Watches `socket` for `what`; an empty set means that nobody waits for it now.
    func watch(_ socket: Int32, for what: EventPoll.Readiness, key: UInt64) {
        let known = entries[socket]
        guard !what.isEmpty else {
            guard known?.isConnection == true else { return forget(socket) }
            entries[socket]?.isParked = true
            return
        }
        let isConnection = known?.isConnection == true || what.contains(.write)
        entries[socket] = Entry(key: key, what: what, isConnection: isConnection)
        if let known, known.key == key, known.what == what { return }
        poll.watch(socket, for: what, key: key, isNew: known == nil)
    }

    /// Whether anybody waits for `socket` under `key`. One that nobody waits for leaves the set: it would report for ever.
    func isWanted(_ socket: Int32, key: UInt64) -> Bool {
        if let known = entries[socket], known.key == key, !known.isParked { return true }
        forget(socket)
        return false
    }

    /// Takes `socket` out of the set.
    func forget(_ socket: Int32) {
        guard let known = entries.removeValue(forKey: socket) else { return }
        poll.watch(socket, for: [], key: known.key)
    }

    /// Makes libcurl tell this table before it closes a connection of `easy`. The table must outlive all connections.
    func attend(_ easy: UnsafeMutableRawPointer) {
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = unsafe pavise_curl_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, me)
        _ = unsafe pavise_curl_set_close_function(easy, closeSocket)
    }
}

private let closeSocket: pavise_curl_close_function = { user, socket in
    if let user = unsafe user {
        unsafe Unmanaged<SocketTable>.fromOpaque(user).takeUnretainedValue().forget(socket)
    }
    return close(socket)
}
