internal import Pavise
internal import PavisePrimitives

/// What to say about an answer.
enum FetchReport {
    /// The answer as data, with its body where that is held.
    static func make(_ answer: HTTPResponse, _ writer: AnswerWriter, file: String?) -> Report {
        let (count, held) = writer.result
        let text = String(validating: held, as: UTF8.self)
        let body = file == nil ? JSONValue.string(text ?? Base64.encode(held)) : nil
        let fields = answer.fields.fields.map {
            JSONValue.fields(["name": .string($0.name), "value": .string($0.value)])
        }
        return Report(
            data: .fields([
                "status": .integer(answer.status), "fields": .array(fields), "bytes": .integer(count),
                "file": file.map { .string($0) }, "encoding": file == nil ? (text == nil ? "base64" : "utf8") : nil,
                "body": body, "redirect": answer.redirect.map(data),
            ]))
    }

    /// Turns an answer that is no success into a failure with its status.
    static func check(_ answer: HTTPResponse) throws(CommandFailure) {
        if let redirect = answer.redirect { throw failure(redirect) }
        switch answer.status {
        case 200..<400: return
        case 401: throw CommandFailure(.signInNeeded, "The server refuses the credential (401). Connect again.")
        default: throw CommandFailure(.failed, "The server answered \(answer.status).")
        }
    }

    private static func failure(_ redirect: RedirectReport) -> CommandFailure {
        let target = redirect.target.map { "\($0)" } ?? "no usable address"
        guard !redirect.concerns.isEmpty else {
            return CommandFailure(
                .failed, "The server sends to \(target) (\(redirect.status)). Fetch that address instead.")
        }
        return CommandFailure(
            .refused,
            "The server sends to \(target) (\(redirect.status)). This was not followed, and no credential went there.",
            rule: "redirect", facts: [.init("target", "Target", target)])
    }

    private static func data(_ redirect: RedirectReport) -> JSONValue {
        let concerns = redirect.concerns.map { JSONValue.string("\($0)") }.sorted { $0.text < $1.text }
        return .fields([
            "status": .integer(redirect.status), "target": redirect.target.map { .string("\($0)") },
            "concerns": .array(concerns),
        ])
    }
}
