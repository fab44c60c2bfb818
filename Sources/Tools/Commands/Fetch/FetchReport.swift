internal import Pavise
internal import PavisePrimitives
internal import PaviseTransport

/// What to say about an answer.
enum FetchReport {
    /// The answer as one object, with its body where that is held, and with why the command fails where it does.
    static func make(
        _ answer: HTTPResponse, _ writer: AnswerWriter, file: String?, failure: CommandFailure?
    ) -> Report {
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
                "error": failure?.report().data["error"],
            ]))
    }

    /// Why an answer that is no success ends the command, and with which status; `nil` for a success.
    static func failure(of answer: HTTPResponse) -> CommandFailure? {
        if let redirect = answer.redirect { return failure(redirect) }
        switch answer.status {
        case 200..<400: return nil
        case 401: return CommandFailure(.signInNeeded, "The server refuses the credential (401). Connect again.")
        default: return CommandFailure(.failed, "The server answered \(answer.status).")
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
