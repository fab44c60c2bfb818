internal import PaviseProtectedStorage
internal import Synchronization

/// Who wants to know of changes.
struct DatabaseObservers: Sendable {
    private var next = 0
    private var all: [Int: (tables: Set<String>, stream: AsyncStream<Set<String>>.Continuation)] = [:]

    mutating func add(_ tables: Set<String>, _ stream: AsyncStream<Set<String>>.Continuation) -> Int {
        next += 1
        all[next] = (tables, stream)
        return next
    }

    mutating func remove(_ number: Int) { all[number] = nil }

    func changed(_ tables: Set<String>) {
        for observer in all.values {
            let seen = observer.tables.isEmpty ? tables : observer.tables.intersection(tables)
            if !seen.isEmpty { Self.tell(seen, observer.stream) }
        }
    }

    // What nobody has taken yet is joined with what is new: a slow reader misses no table.
    private static func tell(_ tables: Set<String>, _ stream: AsyncStream<Set<String>>.Continuation) {
        if case .dropped(let older) = stream.yield(tables) { stream.yield(older.union(tables)) }
    }

    /// Takes all out. They are finished outside of any lock: a stream that ends calls back.
    mutating func takeAll() -> [AsyncStream<Set<String>>.Continuation] {
        defer { all = [:] }
        return all.values.map(\.stream)
    }
}

extension ProtectedDatabase {
    /// The tables that each write of this object changed, once it is on the disk; triggers and foreign keys included.
    ///
    /// A reader that is slow gets several changes as one, with the tables of all of them. Writes of other processes,
    /// and of other objects for the same database, are not told.
    /// - Parameter tables: The tables of interest; none means all.
    public func changes(in tables: Set<String> = []) -> AsyncStream<Set<String>> {
        let (stream, continuation) = AsyncStream.makeStream(of: Set<String>.self, bufferingPolicy: .bufferingNewest(1))
        let number = observers.withLock { $0.add(tables, continuation) }
        continuation.onTermination = { [weak self] _ in self?.observers.withLock { $0.remove(number) } }
        return stream
    }

    /// What `question` answers now, and again after each write to `tables`.
    ///
    /// ```swift
    /// for try await nights in diary.values(of: ["night"], { try $0.rows("SELECT * FROM night", as: Night.self) }) {
    ///     show(nights)
    /// }
    /// ```
    /// It ends with `ProtectedDatabaseError.locked` at a lock: ask again after the unlock.
    public func values<Value: Sendable>(
        of tables: Set<String>, _ question: @escaping @Sendable (borrowing DatabaseAccess) throws -> Value
    ) -> AsyncThrowingStream<Value, any Error> {
        let changes = changes(in: tables)
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task { [weak self] in
                do {
                    if let first = try self?.answer(question) { continuation.yield(first) }
                    for await _ in changes {
                        guard let value = try self?.answer(question) else { break }
                        continuation.yield(value)
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func answer<Value>(_ question: (borrowing DatabaseAccess) throws -> Value) throws -> Value {
        try readNow(question)
    }
}
