internal import PavisePrimitives
internal import PaviseTransport

/// What `pavise fetch` sends.
enum FetchBody: Sendable {
    /// Held in memory.
    case bytes([UInt8])
    /// Read while it is sent; of any size.
    case file(UploadFile)

    /// The most bytes of what has no size before its end, such as a pipe.
    static let limit = 64 << 20

    /// Takes what `--data` says: the body itself, `@FILE`, or `@-` for standard input. A file is opened once, and sent
    /// piece by piece.
    ///
    /// - Parameter progress: Shows how much of a file has gone.
    init(_ text: String, progress: Progress) throws {
        guard text.hasPrefix("@") else {
            self = .bytes(Array(text.utf8))
            return
        }
        let sent = SentFile(try InputFile.open(String(text.dropFirst())))
        let count = try sent.file.facts().kind == .file ? sent.file.size() : 0
        guard count > 0 else {
            self = .bytes(try Self.whole(sent))
            return
        }
        progress.expect(count)
        self = .file(
            UploadFile(count: count) { offset, limit in
                let piece = try? sent.file.readChunk(at: offset, upTo: limit)
                progress.show(offset + (piece?.count ?? 0))
                return piece
            })
    }

    // Pipes and devices end when they end; a file of the system's, in /proc for example, has a size of 0.
    private static func whole(_ sent: SentFile) throws -> [UInt8] {
        do throws(SystemFailure) { return try sent.file.readAll(limit: limit) } catch {
            guard error.isTooLarge else { throw error }
            throw CommandFailure(
                .failed,
                "What is sent from a pipe may have \(limit >> 20) MiB. Write it to a file and send that with "
                    + "-d @FILE: a file may have any size. Nothing was sent.")
        }
    }
}

/// A file that stays open for as long as it is sent.
private final class SentFile: Sendable {
    let file: FileDescriptor
    init(_ file: consuming FileDescriptor) { self.file = file }
}
