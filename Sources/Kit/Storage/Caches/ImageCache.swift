internal import Foundation
public import PavisePrimitives
public import PaviseProtectedStorage
internal import Synchronization

/// Images of a server, sealed in a container: kept for seven days from storing, and the one that was not used for the
/// longest time goes first where room is short.
///
/// ```swift
/// let images = try ImageCache.open(in: container, protection: .complete, byteLimit: 20 << 20)
/// let address = "https://diary.example/avatar.png"
/// if let known = try images.image(for: address, user: "alice") {
///     print("\(known.count) bytes, not fetched again")
/// } else {
///     try images.keep([0x89, 0x50, 0x4e, 0x47], for: address, user: "alice")
/// }
/// ```
///
/// It belongs to its container, and ends with it: one connection's images are never another's. Originals of medical
/// images and other people's data do not belong into a cache at all: show them, and drop them. An image that is damaged
/// is a miss. Calls block for as long as the disk takes. Source: data-at-rest/DR22.
public final class ImageCache: EmptiableCache {
    /// How long an image is kept, in milliseconds: seven days from storing, however often it is used.
    static let lifetime: Int64 = 7 * 86_400_000
    /// Uses that are remembered before they are written: a kill loses the order of these, and no image.
    private static let mostUses = 20

    private struct State {
        var database: ProtectedDatabase?
        var uses: [String] = []
    }

    private let container: ProtectedContainer
    private let protection: ProtectionClass
    private let byteLimit: Int
    private let time: TimeSource
    private let state = Mutex(State())

    private init(_ container: ProtectedContainer, _ protection: ProtectionClass, _ byteLimit: Int, _ time: TimeSource) {
        self.container = container
        self.protection = protection
        self.byteLimit = byteLimit
        self.time = time
    }

    /// Opens the cache of a container, and removes what is too old.
    ///
    /// - Parameters:
    ///   - container: Of the connection whose images they are.
    ///   - protection: When they can be read. There is no default.
    ///   - byteLimit: The sum of all images; 100 MiB unless given.
    ///   - time: The clock of the seven days; the system's unless a test brings its own.
    /// - Throws: `ProtectedDatabaseError`, for example `locked`. A damaged cache is none: it is begun anew.
    public static func open(
        in container: ProtectedContainer, protection: ProtectionClass, byteLimit: Int = 100 << 20,
        time: TimeSource = .system
    ) throws(ProtectedDatabaseError) -> ImageCache {
        let cache = ImageCache(container, protection, byteLimit, time)
        try cache.use { access throws in try cache.trim(access) }
        return cache
    }

    /// The image of `url` for `user`; `nil` when none is kept, or it is older than seven days.
    ///
    /// - Throws: `ProtectedDatabaseError.locked` and others that say nothing of whether there is one.
    public func image(for url: String, user: String) throws(ProtectedDatabaseError) -> [UInt8]? {
        let key = Self.key(url, user)
        let oldest = time.wallMilliseconds - Self.lifetime
        let now = time.wallMilliseconds
        let found = try use(writes: false) { access throws in
            try access.first(
                "SELECT content FROM image WHERE key = \(key) AND stored > \(oldest) AND stored <= \(now)")?
                .value("content", as: Data.self)
        }
        guard case .some(.some(let image)) = found else { return nil }
        try remember(key)
        return [UInt8](image)
    }

    /// Keeps an image. One that is larger than the whole cache is not kept, and neither is what was kept of it.
    public func keep(_ image: [UInt8], for url: String, user: String) throws(ProtectedDatabaseError) {
        let key = Self.key(url, user)
        let (now, fits) = (time.wallMilliseconds, image.count <= byteLimit)
        let uses = takeUses()
        try use { access throws in
            try Self.write(uses, access)
            try access.run("DELETE FROM image WHERE key = \(key)")
            if fits {
                try access.run(
                    """
                    INSERT INTO image(key, stored, used, bytes, content) VALUES (\(key), \(now),
                        (SELECT coalesce(max(used), 0) + 1 FROM image), \(image.count), \(Data(image)))
                    """)
            }
            try self.trim(access)
        }
    }

    /// Removes the images of one user.
    public func removeAll(of user: String) throws(ProtectedDatabaseError) {
        let name = Self.name(user)
        let (first, last) = ("\(name)\u{0}", "\(name)\u{1}")
        try use { access throws in try access.run("DELETE FROM image WHERE key >= \(first) AND key < \(last)") }
    }

    /// Removes every image, also while the device is locked. What cannot be removed is removed with the container.
    public func removeAll() {
        state.withLock { state in
            state.database?.close()
            state = State()
            // Nothing that a cache keeps is needed by anybody: a failure leaves sealed bytes that are used no more
            // after seven days.
            try? container.removeDatabase(ProtectedContainer.images, protection: protection)
        }
    }

    /// Takes its key out of memory, as a lock does; what is kept stays, and the next use opens it again.
    package func forgetKey() { state.withLock { $0.database }?.forgetKey() }

    /// Writes down what was used last, and closes.
    public func close() {
        let uses = takeUses()
        _ = try? use { access throws in try Self.write(uses, access) }
        state.withLock { state in
            state.database?.close()
            state.database = nil
        }
    }

    private static func key(_ url: String, _ user: String) -> String { "\(name(user))\u{0}\(url)" }

    // Another one for each user, and without U+0000, so that none ends in another's. By scalars: a combining one behind
    // U+0000 makes another character of it.
    private static func name(_ user: String) -> String {
        var name = String.UnicodeScalarView()
        for scalar in user.unicodeScalars {
            switch scalar {
            case "\u{0}": name.append(contentsOf: "\u{1}0".unicodeScalars)
            case "\u{1}": name.append(contentsOf: "\u{1}1".unicodeScalars)
            default: name.append(scalar)
            }
        }
        return String(name)
    }

    private func remember(_ key: String) throws(ProtectedDatabaseError) {
        let isFull = state.withLock { state in
            state.uses.append(key)
            return state.uses.count >= Self.mostUses
        }
        guard isFull else { return }
        let uses = takeUses()
        try use { access throws in try Self.write(uses, access) }
    }

    private func takeUses() -> [String] {
        state.withLock { state in
            defer { state.uses = [] }
            return state.uses
        }
    }

    private static func write(_ uses: [String], _ access: borrowing DatabaseAccess) throws {
        for key in uses {
            try access.run(
                "UPDATE image SET used = (SELECT coalesce(max(used), 0) + 1 FROM image) WHERE key = \(key)")
        }
    }

    // Too old, or of a time to come, as after a clock was set back; then the least recently used until the rest fits.
    private func trim(_ access: borrowing DatabaseAccess) throws {
        let now = time.wallMilliseconds
        try access.run("DELETE FROM image WHERE stored <= \(now - Self.lifetime) OR stored > \(now)")
        try access.run(
            """
            DELETE FROM image WHERE key IN (
                SELECT key FROM (SELECT key, sum(bytes) OVER (ORDER BY used DESC) AS total FROM image)
                WHERE total > \(byteLimit))
            """)
    }

    // A damaged cache is removed and begun anew: the answer is a miss then.
    @discardableResult
    private func use<Value>(
        writes: Bool = true, _ body: (borrowing DatabaseAccess) throws -> Value
    ) throws(ProtectedDatabaseError) -> Value? {
        do throws(ProtectedDatabaseError) {
            return try run(writes, body)
        } catch {
            guard case .damaged = error else { throw error }
            removeAll()
            return try writes ? run(writes, body) : nil
        }
    }

    private func run<Value>(
        _ writes: Bool, _ body: (borrowing DatabaseAccess) throws -> Value
    ) throws(ProtectedDatabaseError) -> Value {
        do {
            let database = try database()
            return writes ? try database.write(body) : try database.read(body)
        } catch let error as ProtectedDatabaseError {
            throw error
        } catch {
            throw .storage(.crypto)
        }
    }

    private func database() throws(ProtectedDatabaseError) -> ProtectedDatabase {
        try state.withLock { state throws(ProtectedDatabaseError) in
            if let database = state.database { return database }
            let made = try container.database(
                ProtectedContainer.images, protection: protection,
                migrations: [
                    DatabaseMigration(
                        1, "images",
                        """
                        CREATE TABLE image(
                            key TEXT PRIMARY KEY, stored INTEGER NOT NULL, used INTEGER NOT NULL,
                            bytes INTEGER NOT NULL, content BLOB NOT NULL)
                        """)
                ])
            state.database = made
            return made
        }
    }
}
