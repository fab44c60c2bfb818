internal import Foundation
internal import PavisePrimitives
internal import PaviseProtectedStorage
internal import PaviseSession
internal import PaviseStorage
internal import PaviseTransport

/// One download into a sealed file: no byte of it lies on the disk in clear, and the file is there when all of it is.
///
/// A connection that breaks is made anew, and the content goes on where it stopped (`Range` with `If-Range`), as long
/// as the server names the
/// version by a strong tag. What another version is begins anew.
struct SealedDownload: Sendable {
    let open: @Sendable (HTTPRequest) async throws(PaviseError) -> (HTTPResponse, BodyStream)
    let environment: SessionEnvironment
    let request: HTTPRequest
    let files: ProtectedFiles
    let protection: ProtectionClass
    let name: String
    let progress: @Sendable (DownloadProgress) -> Void

    /// The break in a row, without a byte further than before, that ends a download.
    static let tries = 5

    // Files are written here: not on the caller's actor, which may be the one that draws.
    @concurrent
    func run() async throws -> StoredFileID {
        var file: GrowingFile?
        var ticket: DownloadTicket?
        var failures = 0
        // What begins anew gets bytes each time, and may never come further.
        var furthest = 0
        while true {
            let start = ticket == nil ? 0 : file?.count ?? 0
            do {
                let (answer, body) = try await open(request.continuing(from: start, ticket))
                switch DownloadPlan(answer, from: start, ticket) {
                case .append: break
                case .askAgain:
                    (file, ticket) = (nil, nil)
                    continue
                case .restart:
                    ticket = DownloadTicket(answer, url: request.url)
                    file = try files.grow(named: name, type: Self.type(answer), protection: protection)
                case .answer: throw AnswerUnreadable.status(answer.status)
                case .wrongRange:
                    throw TransportFailure.malformed("The server sent another part than the one that was asked for.")
                }
                guard let growing = file else { throw AnswerUnreadable.content }
                defer {
                    if growing.count > furthest { (failures, furthest) = (0, growing.count) }
                }
                try await receive(body, into: growing, of: answer.wholeCount)
                return try growing.finish()
            } catch let error where Self.isPassing(error) && ticket != nil {
                failures += 1
                guard failures < Self.tries else { throw error }
                try await environment.sleep(.milliseconds(250 << failures))
            }
        }
    }

    private func receive(_ body: BodyStream, into file: GrowingFile, of total: Int?) async throws {
        var pieces = body.makeAsyncIterator()
        while let piece = try await pieces.next(isolation: nil) {
            guard environment.gate?.isOpen ?? true else { throw SessionFailure.locked }
            try file.append(piece)
            progress(DownloadProgress(received: file.count, total: total))
        }
        guard environment.gate?.isOpen ?? true else { throw SessionFailure.locked }
        guard total == nil || total == file.count else {
            throw TransportFailure.network("The content is shorter than the server said.", sent: true)
        }
    }

    private static func isPassing(_ error: any Error) -> Bool {
        switch error {
        case let error as TransportFailure:
            switch error {
            case .network, .timeout: true
            default: false
            }
        case let error as PaviseError: error.code == .network
        default: false
        }
    }

    /// The type that a server named, as a file may have it. A type that is none is none: nothing of a server's answer
    /// is trusted to be one. Blanks before a parameter mean nothing (RFC 9110 §5.6.6).
    static func type(_ answer: HTTPResponse) -> String {
        let text = (answer.fields["Content-Type"] ?? "").filter { $0 != " " && $0 != "\t" }
        return text.utf8.count <= 127 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : ""
    }

    /// What a file is called after the address it came from.
    static func name(of path: String) -> String {
        let last = path.prefix { $0 != "?" }.split(separator: "/").last.map(String.init) ?? ""
        let text = last.removingPercentEncoding ?? last
        let clean = text.unicodeScalars.filter { !StoredFileAttributes.isControl($0) }
        let name = String(String.UnicodeScalarView(clean).prefix(200))
        return name.isEmpty ? "download" : name
    }
}
