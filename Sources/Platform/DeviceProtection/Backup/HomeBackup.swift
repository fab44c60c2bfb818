internal import Glibc
internal import PaviseCrypto
package import PavisePrimitives

/// A whole home as one file under a passphrase.
///
/// The file has a head and chunks of 65,536 bytes and a shorter last one, each AES-256-GCM with its tag; the key is
/// stretched from the passphrase by Argon2id (RFC 9106), with a fresh salt in each file. Content: the time, then for
/// each folder `1` and its path, for each file `2`, its path, its length (8 bytes) and its bytes, at the end `0` and
/// how many these were (4 bytes). Paths have their length (4 bytes) before them; numbers are big-endian.
///
/// A copy is of one moment: the files are looked at before and after, and copied again when one of them changed. What
/// a crash at that moment would leave on the disk is what the copy has, and every file of Pavise's survives a crash.
package enum HomeBackup {
    /// What was written or read.
    package struct Summary: Hashable, Sendable {
        /// How many files.
        package var files = 0
        /// Their bytes.
        package var bytes = 0
        /// When the backup was made: seconds since 1970, by the clock of the writer.
        package var made: Int64 = 0
    }

    /// What happens while a home is read or put back. A test changes the home there, or stops the work as a kill does.
    package enum Step: Hashable, Sendable, CaseIterable {
        /// The files were listed.
        case listed
        /// They were copied, and are looked at again.
        case copied
        /// What was in the backup lies beside the home, durably.
        case unpacked

        /// What a test does at a step; throwing stops the work.
        @TaskLocal package static var observer: (@Sendable (Step) throws -> Void)?

        func reached() throws { try Self.observer?(self) }
    }

    private static let tries = 5
    // A file system tells the time of a change in steps of up to 10 ms.
    private static let settled: Int64 = 25_000_000

    /// Copies `home` into a new file at `path`. When this returns, it is on the disk. Blocks for as long as it takes.
    ///
    /// - Parameters:
    ///   - passphrase: What opens it again, and nothing else does.
    ///   - cost: The price of a guess at it; a test's is small.
    package static func write(
        _ home: PaviseHome, to path: String, passphrase: borrowing SecretBytes, cost: Argon2Cost = .ofBackups,
        time: TimeSource = .system
    ) throws(HomeBackupFailure) -> Summary {
        try check(home, path)
        for turn in 1...tries {
            do {
                return try copy(home, to: path, passphrase, cost, time)
            } catch is HomeTree.Changed {
                if turn < tries { usleep(useconds_t(turn) * 100_000) }
            } catch {
                try HomeBackupFailure.reporting { throw error }
            }
        }
        throw .busy
    }

    private static func check(_ home: PaviseHome, _ path: String) throws(HomeBackupFailure) {
        let (isErasing, isThere): (Bool, Bool)
        do throws(DeviceFailure) {
            isErasing = try Device.isErasing(home)
            isThere = try Device.exists(in: home)
        } catch {
            guard case .system(let failure) = error else { throw .erasing }
            throw .system(failure)
        }
        guard !isErasing else { throw .erasing }
        guard isThere else { throw .nothingThere(home: home.path) }
        guard !DurableFile.exists(path) else { throw .exists(path: path) }
        guard try !HomeBackupFailure.reporting({ try isInside(path, home) }) else { throw .insideHome(path: path) }
    }

    // Folders are compared, not names: a link may lead into the home.
    private static func isInside(_ path: String, _ home: PaviseHome) throws -> Bool {
        guard let place = FileIdentity(home.path)?.place else { return false }
        var folder = DurableFile.directory(of: path)
        for _ in 0..<HomeTree.depth {
            guard let here = FileIdentity(folder)?.place else { return false }
            guard here != place else { return true }
            folder += "/.."
        }
        return false
    }

    private static func copy(
        _ home: PaviseHome, to path: String, _ passphrase: borrowing SecretBytes, _ cost: Argon2Cost,
        _ time: TimeSource
    ) throws -> Summary {
        let tree = try settledTree(home)
        try Step.listed.reached()
        var writer = try BackupWriter.begin(path, BackupHead(cost), passphrase)
        var summary = Summary(made: time.wallSeconds)
        var start = ByteWriter()
        start.integer(summary.made)
        try writer.write(start.bytes.span)
        for node in tree.nodes {
            try writer.write(record(node).span)
            guard let status = node.file else { continue }
            try copy("\(home.path)/\(node.path)", status, into: &writer)
            summary.files += 1
            summary.bytes += status.size
        }
        var end = ByteWriter()
        end.raw([0])
        end.integer(UInt32(tree.nodes.count))
        try writer.write(end.bytes.span)
        try Step.copied.reached()
        guard try HomeTree(home) == tree else { throw HomeTree.Changed() }
        guard try writer.finish() else { throw HomeBackupFailure.exists(path: path) }
        return summary
    }

    // A change within one step of the file system's clock would not show: what changed just now is looked at later.
    private static func settledTree(_ home: PaviseHome) throws -> HomeTree {
        var tree = try HomeTree(home)
        for _ in 0..<tries {
            let age = TimeSource.system.wallMilliseconds * 1_000_000 - tree.latestChange
            guard abs(age) < settled else { return tree }
            usleep(useconds_t(settled / 1000))
            tree = try HomeTree(home)
        }
        throw HomeTree.Changed()
    }

    private static func record(_ node: HomeTree.Node) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw([node.file == nil ? 1 : 2])
        writer.block(Array(node.path.utf8))
        if let status = node.file { writer.integer(UInt64(status.size)) }
        return writer.bytes
    }

    private static func copy(_ path: String, _ status: NodeStatus, into writer: inout BackupWriter) throws {
        let file = try FileDescriptor.openOwn(path, O_RDONLY)
        guard try file.status().identity == status.identity else { throw HomeTree.Changed() }
        var left = status.size
        while left > 0 {
            var bytes = try file.readChunk(upTo: min(left, BackupChunk.count))
            defer { Wipe.bytes(&bytes) }
            guard !bytes.isEmpty else { throw HomeTree.Changed() }
            try writer.write(bytes.span)
            left -= bytes.count
        }
    }
}
