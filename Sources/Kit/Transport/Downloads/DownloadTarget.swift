internal import PavisePrimitives

/// The file of a download while it grows, and beside it the ticket that says which version it holds.
struct DownloadTarget: ~Copyable {
    private let path: String
    private var file: PartialFile

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

    var count: Int { file.count }

    /// The ticket of an earlier run for the same address; `nil` when the file must begin anew.
    func ticket(for url: WebURL) -> DownloadTicket? {
        guard file.count > 0, let bytes = try? DurableFile.read(ticketPath, limit: 65_536),
            let ticket = DownloadTicket(bytes), ticket.url == url.description
        else { return nil }
        return ticket
    }

    /// Forgets what is there. The old ticket goes first and the new one comes last, so that no crash leaves the bytes of one
    /// version beside the ticket of another.
    mutating func restart(_ ticket: DownloadTicket?) throws(TransportFailure) {
        do throws(SystemFailure) {
            try DurableFile.remove(ticketPath)
            try file.empty()
            guard let bytes = ticket?.bytes else { return }
            try DurableFile.write(bytes.span, to: ticketPath)
        } catch {
            throw Self.failure(error)
        }
    }

    mutating func append(_ bytes: [UInt8]) throws(TransportFailure) {
        do throws(SystemFailure) { try file.append(bytes.span) } catch { throw Self.failure(error) }
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

    private static func failure(_ failure: SystemFailure) -> TransportFailure {
        .receiver("\(failure.operation) of the download, error \(failure.code)")
    }
}
