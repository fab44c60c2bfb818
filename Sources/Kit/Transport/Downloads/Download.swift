/// How far a download is.
public struct DownloadProgress: Hashable, Sendable {
    /// Bytes in the file, those of earlier runs included.
    public let received: Int
    /// Bytes of the whole; `nil` when the server did not say.
    public let total: Int?

    package init(received: Int, total: Int?) {
        self.received = received
        self.total = total
    }
}

/// The result of a download.
public enum DownloadOutcome: Sendable {
    /// The file is there, whole and on the disk. `resumedFrom` bytes of it came from an earlier run.
    case file(HTTPResponse, bytes: Int, resumedFrom: Int)
    /// The server answered with something else than the content: 304, 404, a redirect. There is no new file.
    case answer(HTTPResponse)
}
