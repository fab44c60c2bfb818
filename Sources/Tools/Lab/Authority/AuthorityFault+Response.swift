internal import PavisePrimitives

extension AuthorityFault {
    /// The answer that comes instead of the work, or `nil` when the work is done first.
    var insteadOfWork: LabResponse? {
        switch self {
        case .status(let status): LabResponse(status: status)
        case .page(let status): .html("<!doctype html><title>Sign in to this network</title>", status: status)
        case .error(let status, let code): .json(Self.text(code), status: status)
        case .disguisedError(let status, let code): .html(Self.text(code), status: status)
        case .tooManyRequests(let after): Self.limited(after)
        case .redirect(let status, let target): .redirect(status, to: target)
        case .silence: .silence
        case .hangUp: .hangUp
        case .oversized(let bytes): .json("{\"filler\":\"" + String(repeating: "x", count: max(0, bytes - 13)) + "\"}")
        case .nested(let depth): .json(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
        case .answer(let response): response
        default: nil
        }
    }

    /// The answer `response`, which came of finished work, after it suffered.
    func after(_ response: LabResponse) -> LabResponse {
        switch self {
        case .late(let gate): response.held(by: gate)
        case .delayed(let seconds): response.held(by: Self.gate(opening: seconds))
        case .lostAnswer: .hangUp
        case .cut(let count): response.cut(after: count)
        case .contentType(let type): response.replacing(contentType: type)
        case .byteOrderMark: response.mapBody { [0xEF, 0xBB, 0xBF] + $0 }
        case .invalidText: response.mapBody { $0.dropLast(2) + [0xC3, 0x28] + $0.suffix(2) }
        case .without(let name): response.mapMembers { $0.filter { $0.name != name } }
        case .member(let name, let text): response.mapMembers { Self.replace(name, text, in: $0) }
        case .twice(let name, let text): response.mapMembers { $0 + [.init(name, .string(text))] }
        default: response
        }
    }

    // One for each answer.
    private static func gate(opening seconds: Int) -> LabGate {
        let gate = LabGate()
        Task {
            try? await Task.sleep(for: .seconds(seconds))
            gate.open()
        }
        return gate
    }

    /// An error as RFC 6749 §5.2 writes it.
    static func text(_ code: String, _ reason: String? = nil) -> String {
        JSONValue.fields(["error": .string(code), "error_description": reason.map { .string($0) }]).text
    }

    private static func limited(_ after: String?) -> LabResponse {
        let answer = LabResponse(status: 429)
        guard let after else { return answer }
        return answer.with("Retry-After", after)
    }

    private static func replace(_ name: String, _ text: String, in members: [JSONValue.Member]) -> [JSONValue.Member] {
        members.filter { $0.name != name } + [.init(name, .string(text))]
    }
}

extension LabResponse {
    fileprivate func mapBody(_ change: ([UInt8]) -> [UInt8]) -> LabResponse {
        guard case .fixed(let bytes) = body else { return self }
        var copy = self
        copy.body = .fixed(change(bytes))
        return copy
    }

    fileprivate func mapMembers(_ change: ([JSONValue.Member]) -> [JSONValue.Member]) -> LabResponse {
        mapBody { bytes in
            guard let members = (try? JSONValue.parse(bytes))?.members else { return bytes }
            return Array(JSONValue.object(change(members)).text.utf8)
        }
    }

    fileprivate func replacing(contentType: String) -> LabResponse {
        var copy = self
        copy.fields.removeAll { $0.name.lowercased() == "content-type" }
        return copy.with("Content-Type", contentType)
    }
}
