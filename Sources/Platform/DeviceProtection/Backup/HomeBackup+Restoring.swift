internal import Glibc
package import PavisePrimitives

extension HomeBackup {
    /// Reads all of a backup and puts nothing anywhere: whether it is whole and opens with this passphrase.
    package static func verify(
        _ path: String, passphrase: borrowing SecretBytes
    ) throws(HomeBackupFailure) -> Summary {
        do {
            return try unpack(path, passphrase, into: nil)
        } catch {
            return try HomeBackupFailure.reporting { throw error }
        }
    }

    /// Puts a backup where `home` is, which must not be there, or be an empty folder.
    ///
    /// Everything is read, authenticated and made durable beside it first; the home appears with one rename. A kill at
    /// any step leaves no home, or the whole one.
    package static func restore(
        _ path: String, passphrase: borrowing SecretBytes, to home: PaviseHome
    ) throws(HomeBackupFailure) -> Summary {
        do {
            try home.check()
            try checkIsFree(home)
            try DurableFile.makeDirectory(DurableFile.directory(of: home.path))
            Unfinished.sweep(for: home.path)
            let folder = try UnfinishedFolder(beside: home.path)
            let summary = try unpack(path, passphrase, into: folder.path)
            try Step.unpacked.reached()
            // Somebody may have made one meanwhile; an empty folder gives way to a rename.
            try checkIsFree(home)
            try DurableFile.move(folder.path, to: home.path)
            return summary
        } catch {
            return try HomeBackupFailure.reporting { throw error }
        }
    }

    private static func checkIsFree(_ home: PaviseHome) throws {
        switch try DurableFile.presence(of: home.path).get()?.kind {
        case nil: return
        case .folder:
            guard try Folder.names(in: home.path).isEmpty else { throw HomeBackupFailure.homeExists(path: home.path) }
        case .file, .link, .other: throw HomeBackupFailure.homeExists(path: home.path)
        }
    }

    private static func unpack(
        _ path: String, _ passphrase: borrowing SecretBytes, into folder: String?
    ) throws -> Summary {
        var reader = try BackupReader.open(path, passphrase)
        do {
            return try unpack(&reader, path, into: folder)
        } catch is ByteReader.Truncated {
            throw HomeBackupFailure.content(path: path)
        }
    }

    private static func unpack(_ reader: inout BackupReader, _ path: String, into folder: String?) throws -> Summary {
        var summary = Summary(made: try reader.integer(Int64.self))
        var folders: Set<String> = [""]
        var count: UInt32 = 0
        while true {
            let kind = try reader.integer(UInt8.self)
            guard kind != 0 else { break }
            let name = try name(&reader, path)
            guard kind <= 2, count < HomeTree.most, folders.contains(parent(of: name)) else {
                throw HomeBackupFailure.content(path: path)
            }
            count += 1
            if kind == 1 {
                guard folders.insert(name).inserted else { throw HomeBackupFailure.content(path: path) }
                if let folder { try DurableFile.makeDirectory("\(folder)/\(name)") }
            } else {
                let size = try reader.integer(UInt64.self)
                guard size <= 1 << 40 else { throw HomeBackupFailure.content(path: path) }
                try unpackFile(&reader, Int(size), to: folder.map { "\($0)/\(name)" })
                summary.files += 1
                summary.bytes += Int(size)
            }
        }
        guard try reader.integer(UInt32.self) == count, try reader.isAtEnd else {
            throw HomeBackupFailure.content(path: path)
        }
        if let folder { for name in folders { try DurableFile.synchroniseDirectory(of: "\(folder)/\(name)/.") } }
        return summary
    }

    private static func name(_ reader: inout BackupReader, _ path: String) throws -> String {
        let count = try reader.integer(UInt32.self)
        guard (1...HomeTree.longestPath).contains(Int(count)) else { throw HomeBackupFailure.content(path: path) }
        let bytes = try reader.read(Int(count))
        guard let name = String(validating: bytes, as: UTF8.self), HomeTree.isUsable(name) else {
            throw HomeBackupFailure.content(path: path)
        }
        return name
    }

    private static func parent(of name: String) -> String {
        name.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(name[..<$0]) } ?? ""
    }

    // The folder is ours and nobody else enters it; a name that comes twice is refused by the file system.
    private static func unpackFile(_ reader: inout BackupReader, _ size: Int, to path: String?) throws {
        guard let path else { return try reader.take(size) { _ in } }
        let file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
        try reader.take(size) { part in try file.write(part) }
        try file.synchronise()
    }
}
