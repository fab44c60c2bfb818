/// One call of the durable files to the system.
package struct FileStep: Hashable, Sendable {
    /// What is asked of the system.
    package enum Call: String, Hashable, Sendable, CaseIterable {
        /// What lies at the path, without opening it.
        case look
        /// Open a file that exists.
        case open
        /// Make a file.
        case create
        case read
        case write
        /// Wait until a file's bytes are on the disk.
        case synchronise
        /// Give a file another name, in place of what has it.
        case rename
        /// Give a file a second name.
        case link
        /// Take a name away from a file.
        case remove
        case makeFolder
        case removeFolder
        /// Read the names in a folder.
        case list
        /// Wait until the names in a folder are on the disk.
        case synchroniseFolder
        /// Wait until all that anybody wrote to a folder's file system is on the disk.
        case synchroniseAll
    }

    /// What is asked.
    package let call: Call
    /// Of which file or folder.
    package let path: String
    /// The other name of a rename or a link.
    package let target: String?

    /// Runs one step. A test's observer may let it fail before it is done, and hears of it when it is done.
    static func run<Result: ~Copyable>(
        _ call: Call, _ path: String, target: String? = nil, _ body: () throws(SystemFailure) -> Result
    ) throws(SystemFailure) -> Result {
        guard let observer = FileObserver.current else { return try body() }
        let step = FileStep(call: call, path: path, target: target)
        if let code = observer.failure(step) {
            throw SystemFailure(operation: call.rawValue, path: path, code: code)
        }
        let result = try body()
        observer.done(step)
        return result
    }
}

/// Sees every step of the durable files in a test's task. Nothing outside of a test sets one.
package struct FileObserver: Sendable {
    /// The error number that the step fails with in place of being done; `nil` lets it be.
    package let failure: @Sendable (FileStep) -> Int32?
    /// Hears of a step that is done.
    package let done: @Sendable (FileStep) -> Void

    /// An observer that lets steps fail, or hears of them, or both.
    package init(
        failure: @escaping @Sendable (FileStep) -> Int32? = { _ in nil },
        done: @escaping @Sendable (FileStep) -> Void = { _ in }
    ) {
        self.failure = failure
        self.done = done
    }

    /// The observer of this task.
    @TaskLocal package static var current: FileObserver?
}
