import Foundation
import PaviseDatabase
import PavisePrimitives
import TestSupport
import Testing

/// Lets no file of this process grow beyond `count` bytes. The kernel answers EFBIG, as it answers ENOSPC on a full
/// disk.
private func limitFiles(to count: UInt) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(count), rlim_max: rlim_t.max)
    let code = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #expect(code == 0)
}

@Suite struct FullDiskTests {
    @Test func `a full disk is said as such and loses nothing`() async throws {
        let shelf = try Shelf()
        try shelf.openWithTable().close()
        let path = shelf.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let database = try Database.open(path, key: SecretBytes(copying: [UInt8](repeating: 7, count: 32).span))
            try database.run("INSERT INTO note(text) VALUES ('before')")
            limitFiles(to: 60_000)
            #expect(throws: DatabaseFailure.full) {
                try database.transaction { transaction in
                    for _ in 0..<100 {
                        try transaction.run(
                            "INSERT INTO note(text) VALUES (?)", [.text(String(repeating: "x", count: 4000))])
                    }
                }
            }
            #expect(try database.rows("SELECT text FROM note").map { $0.text(0) } == ["before"])
            limitFiles(to: .max)
            try database.run("INSERT INTO note(text) VALUES ('after')")
            database.close()
        }
        #expect(shelf.finding() == .texts(["before", "after"]))
    }

    @Test(arguments: [2_000, 9_000, 14_000, 20_000])
    func `a database cannot be made on a full disk and leaves nothing behind`(_ size: Int) async throws {
        let shelf = try Shelf()
        let (path, folder) = (shelf.path, shelf.folder.path)
        await #expect(processExitsWith: .success) {
            [path = path as String, folder = folder as String, size = size as Int] in
            limitFiles(to: UInt(size))
            #expect(throws: DatabaseFailure.full) {
                let database = try Database.open(
                    path, key: SecretBytes(copying: [UInt8](repeating: 7, count: 32).span))
                try database.run("CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
                for _ in 0..<10 {
                    try database.run("INSERT INTO note(text) VALUES (?)", [.text(String(repeating: "x", count: 4000))])
                }
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(!names.contains { $0.contains(".new") })
        }
        #expect(throws: Never.self) { try shelf.openWithTable().close() }
    }

    @Test func `on a disk that can only be read, rows are read and writes are refused`() async throws {
        let shelf = try Shelf()
        let database = try shelf.openWithTable()
        try database.run("INSERT INTO note(text) VALUES ('kept')")
        let files = try shelf.files()
        database.close()
        try shelf.put(files)
        try Data().write(to: URL(fileURLWithPath: "\(shelf.path)-shm"))
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: shelf.path + suffix)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: shelf.folder.path)
        let path = shelf.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            // Permissions do not bind root.
            if getuid() == 0 { #expect(setuid(65534) == 0) }
            for readOnly in [true, false] {
                let database = try Database.open(
                    path, key: SecretBytes(copying: [UInt8](repeating: 7, count: 32).span), readOnly: readOnly)
                #expect(try database.rows("SELECT text FROM note").map { $0.text(0) } == ["kept"])
                #expect(throws: DatabaseFailure.readOnly) { try database.run("INSERT INTO note(text) VALUES ('no')") }
            }
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: shelf.folder.path)
    }
}
