internal import PavisePrimitives

/// A file that is sent as the body of a request, piece by piece. It is opened once: what is sent is the file that was
/// there when this value was made, also after a rename.
///
/// ```swift
/// var request = HTTPRequest("PUT", url)
/// request.upload = try UploadFile(path: "report.pdf")
/// ```
public final class UploadFile: Sendable {
    /// The size in bytes when it was opened. A file that becomes shorter ends the request; what is appended is not
    /// sent.
    public let count: Int
    private let source: Source
    private let progress: (@Sendable (_ handedOver: Int, _ count: Int) -> Void)?

    private enum Source: ~Copyable {
        case file(FileDescriptor)
        case lent(@Sendable (_ offset: Int, _ limit: Int) -> [UInt8]?)
    }

    /// Opens the regular file at `path`; a symbolic link as its last part is refused.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - progress: Called on the client's own thread with the bytes that the connection has taken so far and the
    ///     size; it must not wait. A body that is sent again begins at 0 again. On Apple's systems the bytes are those
    ///     that URLSession has taken, up to 320 KiB before the connection.
    /// - Throws: ``TransportFailure/unusableRequest(_:)`` when it cannot be read.
    public init(
        path: String, progress: (@Sendable (_ handedOver: Int, _ count: Int) -> Void)? = nil
    ) throws(TransportFailure) {
        self.progress = progress
        do throws(SystemFailure) {
            let file = try FileDescriptor.openForReading(path)
            count = try file.size()
            source = .file(file)
        } catch {
            throw .unusableRequest("The file to send cannot be read: \(error.operation), error \(error.code).")
        }
    }

    /// A content that lies elsewhere, for example sealed.
    ///
    /// - Parameters:
    ///   - count: The size in bytes.
    ///   - read: Gives at most `limit` bytes from `offset` on, on the thread of the network; `nil` ends the request.
    package init(count: Int, read: @escaping @Sendable (_ offset: Int, _ limit: Int) -> [UInt8]?) {
        self.count = count
        progress = nil
        source = .lent(read)
    }

    /// At most `limit` bytes from `offset` on; `nil` when they cannot be read.
    package func read(at offset: Int, upTo limit: Int) -> [UInt8]? {
        let wanted = min(limit, count - offset)
        guard wanted >= 0 else { return nil }
        guard wanted > 0 else { return [] }
        let bytes: [UInt8]?
        switch source {
        case .file(let file): bytes = try? file.readChunk(at: offset, upTo: wanted)
        case .lent(let read): bytes = read(offset, wanted)
        }
        guard let bytes, !bytes.isEmpty, bytes.count <= wanted else { return nil }
        progress?(offset + bytes.count, count)
        return bytes
    }
}
