internal import PaviseManaged
internal import PaviseTransport
internal import Synchronization

/// Looks whether an administrator's rules have changed, and says so once for each change.
final class ManagedWatch: Sendable {
    typealias Outcome = Result<ManagedConfiguration?, ManagedFile.Failure>

    private let file: ManagedFile
    private let changed: @Sendable () -> Void
    private let last: Mutex<Outcome>
    private let task: Mutex<Task<Void, Never>?> = Mutex(nil)

    /// Looks every `pause`; `nil` leaves it to calls of ``look()``. Whatever changed before is no change.
    init(
        _ file: ManagedFile, every pause: Duration? = .seconds(5),
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0, tolerance: .seconds(2))
        },
        changed: @escaping @Sendable () -> Void
    ) {
        self.file = file
        self.changed = changed
        last = Mutex(Self.read(file))
        file.observe { [weak self] in
            self?.look()
            return self != nil
        }
        guard let pause else { return }
        let task = Task.detached { [weak self] in
            while (try? await sleep(pause)) != nil {
                guard let self else { return }
                self.look()
            }
        }
        self.task.withLock { $0 = task }
    }

    deinit { task.withLock { $0 }?.cancel() }

    /// Looks now. The rights of the file and its folders count as well as its content.
    func look() {
        let found = Self.read(file)
        let isNew = last.withLock { last in
            defer { last = found }
            return last != found
        }
        if isNew { changed() }
    }

    private static func read(_ file: ManagedFile) -> Outcome {
        Result { () throws(ManagedFile.Failure) in try file.read() }
    }
}
