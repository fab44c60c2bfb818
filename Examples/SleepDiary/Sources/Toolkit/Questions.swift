internal import CGtk

/// What the program asks in a window of its own.
@MainActor @safe
package class Prompt: Widget {
    /// Takes it away, as if the person had given the safe answer.
    package func close() {}
}

/// A question with few answers over a window. Escape, Enter and closing it give the safe one.
@MainActor @safe
package final class Question: Prompt {
    /// One answer.
    package struct Answer {
        /// How it looks.
        package enum Kind: Int32 {
            case plain, suggested, destructive
        }
        package let id: String
        let text: String
        let kind: Kind

        package init(_ id: String, _ text: String, _ kind: Kind = .plain) {
            self.id = id
            self.text = text
            self.kind = kind
        }
    }

    private var continuation: CheckedContinuation<String, Never>?

    /// - Parameters:
    ///   - heading: One line.
    ///   - body: Some sentences; no markup.
    ///   - answers: The first one is the safe one.
    ///   - child: What stands between text and answers.
    package init(_ window: Window, _ heading: String, _ body: String, _ answers: [Answer], _ child: Widget? = nil) {
        unsafe super.init(diary_question(window.raw, heading, body))
        for answer in answers { unsafe diary_question_answer(raw, answer.id, answer.text, answer.kind.rawValue) }
        if let safe = answers.first { unsafe diary_question_safe(raw, safe.id) }
        if let child { unsafe diary_question_child(raw, child.raw) }
        on("response") { [weak self] _, id in
            self?.continuation?.resume(returning: id ?? "")
            self?.continuation = nil
            return false
        }
    }

    package override func close() { unsafe diary_close(raw) }

    /// Asks.
    ///
    /// - Returns: The identifier of the answer.
    package func answer() async -> String {
        await withCheckedContinuation { continuation in
            self.continuation = continuation
            unsafe diary_present(raw)
        }
    }
}

/// Lets a person choose a file.
@MainActor @safe
package final class FileDialog: Prompt {
    private var continuation: CheckedContinuation<String?, Never>?

    /// - Parameters:
    ///   - title: What it is for.
    ///   - name: The name that is proposed for a new file; `nil` opens one that is there.
    package init(_ window: Window, _ title: String, saving name: String? = nil) {
        unsafe super.init(diary_file_dialog(window.raw, title, name == nil ? 0 : 1, name ?? ""))
    }

    // Hiding it says nothing to anybody.
    package override func close() {
        unsafe diary_file_hide(raw)
        continuation?.resume(returning: nil)
        continuation = nil
    }

    /// The path; `nil` where the person chose none.
    package func path() async -> String? {
        // GtkResponseType: accept is -3.
        on("response") { [weak self] response, _ in
            guard let self else { return false }
            var path: String?
            if response == -3, let found = unsafe diary_file_path(self.raw) {
                path = unsafe String(cString: found)
                unsafe diary_free(found)
            }
            self.continuation?.resume(returning: path)
            self.continuation = nil
            return false
        }
        return await withCheckedContinuation { continuation in
            self.continuation = continuation
            unsafe diary_file_show(raw)
        }
    }
}
