internal import PavisePrimitives

/// The file of a download while it grows, and beside it the ticket that says which version it holds and which bytes of
/// it.
///
/// Nothing is taken over that this program's user did not write herself: the file is hers alone (``PartialFile``), the
/// ticket is too, and the bytes that are there are those that the ticket's digest is of. Bytes behind them, which a
/// kill left without a ticket, are dropped.
struct DownloadTarget: ~Copyable {
    private let path: String
    private var file: PartialFile
    private var digest = DownloadDigest()
    private var ticket: DownloadTicket?

    /// After how many bytes the ticket is written anew. A download that is killed loses no more.
    static let interval = 16 << 20
    private static let ticketLimit = 65_536

    static func open(_ path: String) throws(TransportFailure) -> DownloadTarget {
        do throws(SystemFailure) {
            return DownloadTarget(path: path, file: try PartialFile.open("\(path).partial"))
        } catch {
            throw failure(error)
        }
    }

    private init(path: String, file: consuming PartialFile) {
        self.path = path
        self.file = file
    }

    deinit { file.removeIfEmpty() }

    var count: Int { file.count }

    /// The ticket of an earlier run for the same address, with the bytes that it vouches for in the file; `nil` when
    /// the file must begin anew.
    mutating func resume(_ url: WebURL) throws(TransportFailure) -> DownloadTicket? {
        guard file.count > 0, let found = Self.ticket(at: ticketPath), found.url == url.description,
            found.count <= file.count
        else { return nil }
        do throws(SystemFailure) {
            var read = DownloadDigest(key: found.key)
            // What comes from here on is vouched for under a key of its own.
            var next = DownloadDigest()
            while read.count < found.count {
                let piece = try file.read(
                    at: read.count, upTo: min(DownloadDigest.blockSize, found.count - read.count))
                guard !piece.isEmpty else { return nil }
                read.add(piece)
                next.add(piece)
            }
            guard let value = read.value, ConstantTime.equal(value, found.digest) else { return nil }
            try file.cut(to: found.count)
            digest = next
            ticket = found
            return found
        } catch {
            throw Self.failure(error)
        }
    }

    /// Forgets what is there. The old ticket goes first and the new one comes with its first bytes, so that no crash
    /// leaves the bytes of one version beside the ticket of another.
    mutating func restart(_ ticket: DownloadTicket?) throws(TransportFailure) {
        do throws(SystemFailure) {
            try DurableFile.remove(ticketPath)
            try file.cut(to: 0)
            digest = DownloadDigest()
            self.ticket = ticket
        } catch {
            throw Self.failure(error)
        }
    }

    mutating func append(_ bytes: [UInt8]) throws(TransportFailure) {
        do throws(SystemFailure) { try file.append(bytes) } catch { throw Self.failure(error) }
        guard ticket != nil else { return }
        digest.add(bytes)
        if digest.count - (ticket?.count ?? 0) >= Self.interval { keep() }
    }

    /// Writes down what is there, for the next try. Without a ticket, or where it cannot be written, that begins anew.
    mutating func keep() {
        guard digest.count > ticket?.count ?? .max, digest.count == file.count else { return }
        guard let value = digest.value else { return }
        ticket?.count = digest.count
        ticket?.key = digest.key
        ticket?.digest = value
        guard let bytes = ticket?.bytes else { return }
        try? DurableFile.write(bytes, to: ticketPath)
    }

    /// Gives the file its name.
    mutating func finish() throws(TransportFailure) {
        do throws(SystemFailure) {
            try file.finish(as: path)
            try DurableFile.remove(ticketPath)
        } catch {
            throw Self.failure(error)
        }
    }

    private var ticketPath: String { "\(path).partial-ticket" }

    private static func ticket(at path: String) -> DownloadTicket? {
        guard let file = try? FileDescriptor.openForReading(path), (try? file.facts())?.isOursAlone == true,
            let bytes = try? file.readAll(limit: ticketLimit)
        else { return nil }
        return DownloadTicket(bytes)
    }

    private static func failure(_ failure: SystemFailure) -> TransportFailure {
        .receiver("\(failure.operation) of the download, error \(failure.code)")
    }
}
