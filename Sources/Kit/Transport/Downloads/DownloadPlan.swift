/// What a download does with an answer. Pure: what is there, what was asked for and what came decide.
package enum DownloadPlan: Hashable, Sendable {
    /// The body goes on where the file ends.
    case append
    /// The body is the whole content: what is there is thrown away.
    case restart
    /// The server cannot go on from there, or not with the same version: ask once more, for the whole.
    case askAgain
    /// The answer is no content: it is the result, and nothing is written.
    case answer
    /// The server answers with another part than the one that was asked for.
    case wrongRange

    /// Decides about the head of an answer.
    ///
    /// - Parameters:
    ///   - answer: The head.
    ///   - start: The first byte that was asked for; 0 when the whole was.
    ///   - ticket: The version that was asked for; `nil` when the whole was.
    package init(_ answer: HTTPResponse, from start: Int, _ ticket: DownloadTicket?) {
        switch answer.status {
        case 200: self = .restart
        case 206:
            let range = answer.fields["Content-Range"].flatMap(ContentRange.init)
            let fits = ticket != nil && range?.first == start
            // Parts belong together where both have the same strong tag (RFC 9110 §15.3.7.3). A server that does not
            // know If-Range sends a part of whatever it has now, and the ranges of what is packed are other ones.
            let isPlain = answer.fields["Content-Encoding"].map { $0.lowercased() == "identity" } ?? true
            let isSame = answer.fields["ETag"] == ticket?.tag && isPlain
            // A server may send less than it was asked for (RFC 9110 §15.3.7): without the size of the whole nobody can
            // tell whether that was all.
            self = fits ? (range?.total == nil || !isSame ? .askAgain : .append) : .wrongRange
        case 416: self = ticket != nil ? .askAgain : .answer
        default: self = .answer
        }
    }
}
