import Foundation
import PavisePrimitives
import TestSupport
import Testing

/// RV-H3, NU-B1: which folder is the home, and which folder may be one.
@Suite struct HomeTests {
    let folder: TemporaryFolder
    private var path: String { folder.path + "/home" }
    private var home: PaviseHome { PaviseHome(path: path) }
    init() throws { folder = try TemporaryFolder() }

    private static let data = PaviseHome.named(by: { ["HOME": "/h"][$0] }, account: { nil }).path.dropFirst(2)

    @Test(
        "RV-H3: the home is PAVISE_HOME, else of XDG_DATA_HOME, of HOME, of the account; relative ones are not used",
        arguments: [
            (["PAVISE_HOME": "/p", "HOME": "/h"], "/p"),
            (["PAVISE_HOME": "/p///"], "/p"),
            (["XDG_DATA_HOME": "/x", "HOME": "/h"], "/x/pavise"),
            (["XDG_DATA_HOME": "x", "HOME": "/h"], "/h\(data)"),
            (["XDG_DATA_HOME": "./x"], "/account\(data)"),
            (["HOME": "/h/"], "/h\(data)"),
            (["HOME": "."], "/account\(data)"),
            (["HOME": ""], "/account\(data)"),
            ([:], "/account\(data)"),
        ])
    func named(_ variables: [String: String], _ expected: String) throws {
        #expect(PaviseHome.named(by: { variables[$0] }, account: { "/account" }).path == expected)
    }

    @Test(
        "RV-H3: without any home there is a clear failure, and nothing in a shared folder",
        arguments: [nil, "", "relative"])
    func none(_ account: String?) throws {
        let home = PaviseHome.named(by: { _ in nil }, account: { account })
        #expect(!home.path.hasPrefix("/tmp"))
        let words = try #require(throws: SystemFailure.self) { try home.check() }.description
        #expect(words.contains("There is no home") && words.contains("PAVISE_HOME"))
        #expect(throws: SystemFailure.self) { try DurableFile.makeDirectory(home.device) }
    }

    @Test("RV-H3: a relative PAVISE_HOME is refused", arguments: ["home", ".", "../x", "~/x"])
    func relative(_ value: String) throws {
        let home = PaviseHome.named(by: { ["PAVISE_HOME": value, "HOME": "/h"][$0] }, account: { nil })
        let words = try #require(throws: SystemFailure.self) { try home.check(.device) }.description
        #expect(words.contains("PAVISE_HOME has to be a whole path"))
        #expect(throws: SystemFailure.self) { try DurableFile.makeDirectory(home.device) }
    }

    @Test(
        "RV-H3: a home that others may enter is refused, with the command that closes it",
        arguments: [0o755, 0o750, 0o701, 0o777])
    func mode(_ mode: mode_t) throws {
        try DurableFile.makeDirectory(home.device)
        #expect(throws: Never.self) { try home.check(.device) }
        #expect(unsafe chmod(path, mode) == 0)
        let words = try #require(throws: SystemFailure.self) { try home.check(.device) }.description
        #expect(words.contains("chmod 700 \(path)") && words.contains("mode \(String(mode, radix: 8))"))
        #expect(unsafe chmod(path, 0o700) == 0)
        #expect(throws: Never.self) { try home.check(.device) }
    }

    @Test(
        "RV-H3: a part that others may enter, or that is a link or a file, is refused",
        arguments: PaviseHome.Part.allCases)
    func parts(_ part: PaviseHome.Part) throws {
        try DurableFile.makeDirectory(path)
        #expect(throws: Never.self) { try home.check(part) }
        let place = home.path(of: part)
        try DurableFile.makeDirectory(folder.path + "/other")
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: folder.path + "/other")
        #expect(try #require(throws: SystemFailure.self) { try home.check(part) }.description.contains("symbolic link"))
        try DurableFile.remove(place)
        try DurableFile.write([1], to: place)
        #expect(try #require(throws: SystemFailure.self) { try home.check(part) }.description.contains("not a folder"))
        try DurableFile.remove(place)
        try DurableFile.makeDirectory(place)
        #expect(unsafe chmod(place, 0o770) == 0)
        #expect(
            try #require(throws: SystemFailure.self) { try home.check(part) }.description.contains("chmod 700 \(place)")
        )
    }

    @Test("RV-H3: a home and the way to it may be links of this user's")
    func links() throws {
        try DurableFile.makeDirectory(folder.path + "/real/home")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/way", withDestinationPath: "real")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/way/../real/home")
        #expect(throws: Never.self) { try home.check(.device) }
        #expect(throws: Never.self) { try PaviseHome(path: folder.path + "/way/home").check() }
        // The folder behind the link is what counts.
        #expect(unsafe chmod(folder.path + "/real/home", 0o755) == 0)
        #expect(throws: SystemFailure.self) { try home.check() }
        #expect(unsafe chmod(folder.path + "/real/home", 0o700) == 0)
        #expect(unsafe chmod(folder.path + "/real", 0o777) == 0)
        #expect(throws: SystemFailure.self) { try PaviseHome(path: folder.path + "/real/home").check() }
    }

    // A name that begins with a combining letter makes one character of it and the “/” before it.
    @Test(
        "RV-H3: a folder on the way in which others may replace the home is refused; a sticky one is not",
        arguments: ["home", "\u{301}home"])
    func parents(_ name: String) throws {
        try DurableFile.makeDirectory(folder.path + "/open")
        let inside = PaviseHome(path: folder.path + "/open/" + name)
        for (mode, isRefused) in [(0o777, true), (0o757, true), (0o1777, false), (0o755, false)] as [(mode_t, Bool)] {
            #expect(unsafe chmod(folder.path + "/open", mode) == 0)
            do {
                try inside.check()
                #expect(!isRefused, "\(String(mode, radix: 8))")
            } catch {
                #expect(isRefused && error.description.contains("chmod go-w"), "\(error)")
            }
        }
    }

    @Test(
        "RV-H3: a folder above that the system does not show is not judged; what is shown below it is",
        arguments: [EPERM, EACCES], [true, false])
    func hidden(_ code: Int32, isThere: Bool) throws {
        let way = folder.path + "/way"
        let inside = PaviseHome(path: way + "/home")
        try DurableFile.makeDirectory(isThere ? inside.path : way)
        let above = folder.path
        let sandbox = FileObserver(failure: { $0.call == .look && above.hasPrefix($0.path) ? code : nil })
        try FileObserver.$current.withValue(sandbox) {
            #expect(throws: Never.self) { try inside.check(.device) }
            #expect(unsafe chmod(way, 0o777) == 0)
            // The way is walked again for a home that is made anew.
            if isThere { try DurableFile.move(inside.path, to: way + "/other") }
            let words = try #require(throws: SystemFailure.self) { try inside.check() }.description
            #expect(words.contains("chmod go-w"))
        }
        #expect(unsafe chmod(way, 0o755) == 0)
        let broken = FileObserver(failure: { $0.call == .look && above.hasPrefix($0.path) ? EIO : nil })
        FileObserver.$current.withValue(broken) {
            #expect(throws: SystemFailure.self) { try inside.check() }
        }
    }

    @Test(
        "RV-H3: another user's home, link or folder on the way is refused",
        .enabled(if: geteuid() == 0, "only root can give away"))
    func owners() throws {
        try DurableFile.makeDirectory(path)
        #expect(unsafe chown(path, 12345, 12345) == 0)
        #expect(
            try #require(throws: SystemFailure.self) { try home.check() }.description.contains("belongs to user 12345"))
        #expect(unsafe chown(path, 0, 0) == 0)
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: path)
        #expect(throws: Never.self) { try PaviseHome(path: folder.path + "/link").check() }
        #expect(unsafe lchown(folder.path + "/link", 12345, 12345) == 0)
        #expect(throws: SystemFailure.self) { try PaviseHome(path: folder.path + "/link/").check() }
        try DurableFile.makeDirectory(folder.path + "/foreign/home")
        #expect(unsafe chown(folder.path + "/foreign", 12345, 12345) == 0)
        let words = try #require(throws: SystemFailure.self) {
            try PaviseHome(path: folder.path + "/foreign/home").check()
        }
        #expect(words.description.contains("could replace the home"))
    }

    @Test(
        "RV-H3: a group that has others in it may not write on the way",
        arguments: [(UInt32(0o775), true), (0o770, true), (0o750, false)])
    func groups(_ mode: UInt32, _ isRefused: Bool) {
        let facts = FileFacts(kind: .folder, owner: geteuid(), group: 4711, mode: mode)
        #expect((facts.problemOnTheWay { _ in false } != nil) == isRefused)
        #expect(facts.problemOnTheWay { $0 == 4711 } == nil)
    }

    @Test(
        "RV-H3, RV-L2: a lock or a file of the home that is a link or a pipe is refused at once, its target untouched"
    )
    func locks() throws {
        try DurableFile.makeDirectory(path)
        try DurableFile.write(Array("precious".utf8), to: folder.path + "/victim")
        try FileManager.default.createSymbolicLink(atPath: path + "/lock", withDestinationPath: folder.path + "/victim")
        #expect(throws: SystemFailure.self) { _ = try FileLock.tryAcquire(path + "/lock") == nil }
        #expect(try DurableFile.read(folder.path + "/victim", limit: 100) == Array("precious".utf8))
        #expect(throws: SystemFailure.self) { try DurableFile.read(path + "/lock", limit: 100) }
        #expect(unsafe mkfifo(path + "/pipe", 0o600) == 0)
        #expect(throws: SystemFailure.self) { try DurableFile.read(path + "/pipe", limit: 100) }
        #expect(throws: SystemFailure.self) { _ = try FileLock.tryAcquire(path + "/pipe") == nil }
        try DurableFile.write(noBytes, to: path + "/open")
        #expect(unsafe chmod(path + "/open", 0o644) == 0)
        #expect(throws: SystemFailure.self) { _ = try FileLock.tryAcquire(path + "/open") == nil }
        #expect(
            try #require(throws: SystemFailure.self) { try DurableFile.checkOwn(path + "/open") }.description.contains(
                "chmod 600"))
        #expect(throws: Never.self) { try DurableFile.checkOwn(path + "/none") }
    }

    @Test func `RV-H3: what the system does not open is told as what it is, with the command that mends it`() throws {
        try DurableFile.makeDirectory(path + "/lock")
        let told = try #require(throws: SystemFailure.self) { _ = try FileLock.tryAcquire(path + "/lock") == nil }
        #expect(told.description.contains("is not a regular file") && told.remedy?.hasPrefix("mv ") == true)
        try DurableFile.write(noBytes, to: path + "/keybag")
        let closed = FileObserver(failure: { $0.call == .open ? EACCES : nil })
        let read = {
            try FileObserver.$current.withValue(closed) {
                try DurableFile.read(path + "/keybag", limit: 1, isSecret: true)
            }
        }
        // Nothing speaks against the file itself: the system's own words stay.
        #expect(try #require(throws: SystemFailure.self) { try read() }.code == EACCES)
        #expect(unsafe chmod(path + "/keybag", 0o640) == 0)
        #expect(try #require(throws: SystemFailure.self) { try read() }.remedy == "chmod 600 \(path)/keybag")
        guard geteuid() == 0 else { return }
        #expect(unsafe chmod(path + "/keybag", 0o600) == 0)
        #expect(unsafe chown(path + "/keybag", 12345, 12345) == 0)
        #expect(try #require(throws: SystemFailure.self) { try read() }.remedy == "sudo chown 0 \(path)/keybag")
    }

    @Test func `a quote with a combining letter behind it ends no path for a shell`() {
        let shown = FileProblem.quoted("/a'\u{301}; b")
        #expect(Array(shown.utf8) == Array("'/a'\\''\u{301}; b'".utf8))
    }

    @Test func `a path with a blank or a quote is written as a shell takes it`() throws {
        let odd = PaviseHome(path: folder.path + "/it's a home")
        try DurableFile.makeDirectory(odd.path)
        #expect(unsafe chmod(odd.path, 0o755) == 0)
        let words = try #require(throws: SystemFailure.self) { try odd.check() }.description
        #expect(words.hasSuffix("chmod 700 '\(folder.path)/it'\\''s a home'"))
    }
}

private let noBytes: [UInt8] = []
