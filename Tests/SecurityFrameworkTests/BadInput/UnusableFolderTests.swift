import Foundation
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// Runs `body` in the keychain at `path`; for children, which get nothing but the path.
private func inKeychain(_ path: String, _ body: () throws -> Void) rethrows {
    let environment = SecurityEnvironment(home: PaviseHome(path: path), accessGroups: ["one", "two"])
    try SecurityEnvironment.$override.withValue(environment) { try body() }
}

/// Lets no file of this process grow beyond `count` bytes: EFBIG is answered like ENOSPC.
private func limitFiles(to count: UInt) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(count), rlim_max: rlim_t.max)
    let code = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #expect(code == 0)
}

private let somebodyElse: uid_t = 65534

/// Permissions do not bind root: it becomes somebody else.
private func becomeSomebodyElse() {
    if getuid() == 0 { #expect(setuid(somebodyElse) == 0) }
}

/// A store where it cannot be, or cannot be written.
@Suite struct UnusableFolderTests {
    let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    private var path: String { keychain.environment.home.path }

    @Test func `a full disk is -34 for add and update, changes nothing, and is no obstacle afterwards`() async {
        keychain.run { _ = add(password("a"), "old") }
        await #expect(processExitsWith: .success) { [path = path as String] in
            inKeychain(path) {
                let large = Data(count: 200_000)
                limitFiles(to: 100_000)
                #expect(SecItemAdd(password("b", "s", ["v_Data": large]) as CFDictionary, nil) == errSecDiskFull)
                #expect(update(password("a"), ["v_Data": large]) == errSecDiskFull)
                #expect(value(password("a")) == "old")
                #expect(count(password(nil, nil)) == 1)
                limitFiles(to: .max)
                #expect(update(password("a"), ["v_Data": large]) == errSecSuccess)
                #expect(add(password("b")) == errSecSuccess)
            }
        }
        keychain.run { #expect(count(password(nil, nil)) == 2) }
    }

    @Test func `a home that finds no room is -34, and works when there is room`() async {
        await #expect(processExitsWith: .success) { [path = path as String] in
            inKeychain(path) {
                for size: UInt in [0, 16, 100, 400, 2_000, 8_000, 16_000] {
                    limitFiles(to: size)
                    #expect(add(password("\(size)")) == errSecDiskFull, "\(size)")
                }
                limitFiles(to: .max)
                #expect(add(password("whole")) == errSecSuccess)
                #expect(value(password("whole")) == "secret")
            }
        }
    }

    @Test func `a home that can only be read is read, and refuses writes with -25292`() async throws {
        keychain.run { _ = add(password("a"), "kept") }
        // A home is used by its owner alone.
        try Self.allow(0o500, 0o400, below: keychain.folder.path, owner: somebodyElse)
        await #expect(processExitsWith: .success) { [path = path as String] in
            becomeSomebodyElse()
            inKeychain(path) {
                #expect(value(password("a")) == "kept")
                #expect(add(password("b")) == errSecReadOnly)
                #expect(update(password("a"), ["labl": "l"]) == errSecReadOnly)
                #expect(delete(password("a")) == errSecReadOnly)
                #expect(value(password("a")) == "kept")
            }
        }
        try Self.allow(0o700, 0o600, below: keychain.folder.path)
    }

    @Test(arguments: ["home", "home/device", "home/device/keybag", "home/keychain", "home/keychain/items.db"])
    func `what only somebody else may read is no keychain, -25291, for every call, and the reason is said`(
        _ part: String
    ) async throws {
        keychain.run { _ = add(password("a"), "kept") }
        KeychainDiagnostics.close(keychain.environment.home)
        let hidden = keychain.folder.path + "/" + part
        try Self.allow(0o700, 0o600, below: keychain.folder.path, owner: somebodyElse)
        // Root's, or shut where this process cannot give it to somebody else.
        try Self.give(hidden, to: getuid())
        try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: hidden)
        await #expect(processExitsWith: .success) { [path = path as String] in
            becomeSomebodyElse()
            inKeychain(path) {
                #expect(copy(password("a"), ["r_Data": true]).result == nil)
                #expect(copy(password("a")).status == errSecNotAvailable)
                #expect(add(password("b")) == errSecNotAvailable)
                #expect(update(password("a"), ["labl": "l"]) == errSecNotAvailable)
                #expect(delete(password("a")) == errSecNotAvailable)
                let reason = KeychainDiagnostics.lastFailure(PaviseHome(path: path)) ?? "none"
                #expect(reason.contains("Check the owner") || reason.contains("belongs to user 0"), "\(reason)")
            }
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: hidden)
        try Self.allow(0o700, 0o600, below: keychain.folder.path)
        keychain.run { #expect(value(password("a")) == "kept") }
    }

    @Test(arguments: [
        "a b", "schlüssel", "鍵束", "a%20b", "q?mode=ro", "x#y", "a'b\"c", "a;b&c=d", "\u{1F511}", "e\u{301}",
    ])
    func `a home may have any name`(_ name: String) throws {
        let path = keychain.folder.path + "/" + name + "/home"
        inKeychain(path) {
            #expect(add(password("a"), "v") == errSecSuccess)
            KeychainDiagnostics.close(PaviseHome(path: path))
            #expect(value(password("a")) == "v")
        }
        #expect(DurableFile.exists(path + "/keychain/items.db"))
    }

    @Test func `a home with a very long path is an error and not a trap`() {
        inKeychain(keychain.folder.path + "/" + String(repeating: "n", count: 300)) {
            #expect(add(password("a")) == errSecNotAvailable)
        }
        inKeychain(keychain.folder.path + String(repeating: "/folder", count: 700)) {
            #expect(add(password("a")) == errSecNotAvailable)
        }
    }

    @Test(arguments: ["device/keybag", "keychain/items.db"])
    func `a file of a newer version is refused with -25291 and stays as it is`(_ name: String) throws {
        keychain.run { _ = add(password("a"), "v") }
        KeychainDiagnostics.close(keychain.environment.home)
        var bytes = try DurableFile.read("\(path)/\(name)", limit: 1 << 24)
        // The version follows the name of the format: `PVKB` 1, `Pavise encrypted database 1`.
        let version = name == "device/keybag" ? 4 : 26
        bytes[version] += 1
        try DurableFile.write(bytes.span, to: "\(path)/\(name)")
        keychain.run {
            #expect(copy(password("a")).status == errSecNotAvailable)
            #expect(add(password("b")) == errSecNotAvailable)
            #expect(delete(password("a")) == errSecNotAvailable)
        }
        #expect(try DurableFile.read("\(path)/\(name)", limit: 1 << 24) == bytes)
    }

    @Test func `an empty file in place of any file is damage and never a fresh start`() throws {
        keychain.run { _ = add(password("a"), "v") }
        KeychainDiagnostics.close(keychain.environment.home)
        for name in ["device/keybag", "device/element.secret", "keychain/items.db", "keychain/items.db-wal"] {
            let whole = try DurableFile.read("\(path)/\(name)", limit: 1 << 24)
            let nothing: [UInt8] = []
            try DurableFile.write(nothing.span, to: "\(path)/\(name)")
            KeychainDiagnostics.close(keychain.environment.home)
            keychain.run { #expect(copy(password("a")).status == errSecNotAvailable, "\(name)") }
            KeychainDiagnostics.close(keychain.environment.home)
            try DurableFile.write(whole.span, to: "\(path)/\(name)")
            keychain.run { #expect(value(password("a")) == "v", "\(name)") }
            KeychainDiagnostics.close(keychain.environment.home)
        }
    }

    private static func allow(
        _ folders: Int, _ files: Int, below root: String, owner: uid_t = getuid()
    ) throws {
        let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        for name in [""] + names {
            let path = "\(root)/\(name)"
            var isFolder: ObjCBool = false
            _ = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            try FileManager.default.setAttributes(
                [.posixPermissions: isFolder.boolValue ? folders : files], ofItemAtPath: path)
            try give(path, to: owner)
        }
    }

    // Root alone may give files away.
    private static func give(_ path: String, to owner: uid_t) throws {
        guard getuid() == 0 else { return }
        try #require(unsafe chown(path, owner, gid_t.max) == 0)
    }
}

/// A machine whose clock is wrong.
@Suite struct BadClockTests {
    @Test(arguments: [0, 1, -1, 4_102_444_800, 253_402_300_800] as [Int64])
    func `the keychain works at any time, and dates come back`(_ seconds: Int64) throws {
        var keychain = try ItemFixture()
        let clock = ManualTime(wallSeconds: seconds)
        keychain.environment.time = clock.source
        keychain.run {
            #expect(add(password("a"), "v") == errSecSuccess)
            #expect(attributes(password("a"))["cdat"] as? Date == Date(timeIntervalSince1970: Double(seconds)))
            #expect(value(password("a")) == "v")
            #expect(update(password("a"), ["v_Data": Data("w".utf8)]) == errSecSuccess)
            #expect(value(password("a")) == "w")
        }
    }

    @Test func `KC33 a clock that goes back from 2100 to 1970 does not turn the order of changes around`() throws {
        var keychain = try ItemFixture()
        let clock = ManualTime(wallSeconds: 4_102_444_800)
        keychain.environment.time = clock.source
        try keychain.run {
            #expect(add(password("a"), "v") == errSecSuccess)
            let before = try #require(attributes(password("a"))["mdat"] as? Date)
            clock.setWall(seconds: 0)
            #expect(update(password("a"), ["labl": "l"]) == errSecSuccess)
            let after = try #require(attributes(password("a"))["mdat"] as? Date)
            #expect(after > before)
            #expect(attributes(password("a"))["cdat"] as? Date == Date(timeIntervalSince1970: 4_102_444_800))
        }
    }
}
