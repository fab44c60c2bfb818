import Foundation
import PavisePrimitives
import TestSupport
import Testing

/// What a kill leaves behind is removed; what somebody still writes is not.
@Suite struct UnfinishedTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func `a killed writer's file and folder are swept, by the folder and by the name`() async throws {
        for isByName in [true, false] {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
                let file = try UnfinishedFile(path + "/a")
                try file.write([1, 2, 3])
                let place = try UnfinishedFolder(beside: path + "/a")
                try DurableFile.write([4], to: place.path + "/inside")
                ChildProcess.killAtOnce(getpid())
                pause()
            }
            #expect(try names().count == 2)
            #expect(try names().allSatisfy { $0.hasPrefix("a.") && $0.hasSuffix(".new") })
            #expect(Unfinished.sweep(for: folder.path + "/b") == 0)
            let swept = isByName ? Unfinished.sweep(for: folder.path + "/a") : Unfinished.sweep(folder.path)
            #expect(swept == 2)
            #expect(try names().isEmpty)
        }
    }

    @Test func `what a living process writes stays and is finished`() throws {
        var file = try UnfinishedFile(folder.path + "/a")
        let place = try UnfinishedFolder(beside: folder.path + "/b")
        try file.write([1])
        #expect(Unfinished.sweep(folder.path) == 0)
        #expect(try names().count == 2)
        try file.finish()
        #expect(try DurableFile.read(folder.path + "/a", limit: 9) == [1])
        let path = place.path
        _ = consume place
        #expect(!DurableFile.exists(path))
        #expect(try names() == ["a"])
    }

    @Test func `another process does not sweep what this one writes`() async throws {
        let file = try UnfinishedFile(folder.path + "/a")
        try file.write([1])
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            guard Unfinished.sweep(path) == 0 else { exit(1) }
        }
        #expect(try names().count == 1)
        _ = consume file
        #expect(try names().isEmpty)
    }

    @Test(arguments: [
        "a.new", "a.12.new", "a.12.0123456789abcdef", "a.12.0123456789abcde.new", "a.x.0123456789abcdef.new",
        "a.12.0123456789abcdeg.new", "a.-1.0123456789abcdef.new", "keybag",
    ])
    func `files with other names are nobody's rests`(_ name: String) throws {
        try DurableFile.write([1], to: "\(folder.path)/\(name)")
        #expect(Unfinished.sweep(folder.path) == 0)
        #expect(try names() == [name])
    }

    @Test func `a file with the longest name is written, and what a kill left of it is swept`() throws {
        let name = String(repeating: "\u{E9}", count: 127) + "a"
        try DurableFile.write([1], to: "\(folder.path)/\(name)")
        #expect(try names() == [name])
        let rest = String(repeating: "\u{E9}", count: 100) + ".12.0123456789abcdef.new"
        try DurableFile.write([2], to: "\(folder.path)/\(rest)")
        #expect(Unfinished.sweep(for: "\(folder.path)/\(name)") == 1)
        #expect(try names() == [name])
    }

    @Test(arguments: [EPERM, ENOTSUP, ENOSYS])
    func `where a file has one name alone, a new file appears all the same, and replaces none`(
        _ code: Int32
    ) throws {
        let path = folder.path + "/a"
        let observer = FileObserver(failure: { $0.call == .link ? code : nil })
        let made = try FileObserver.$current.withValue(observer) {
            [try DurableFile.writeUnlessPresent([1], to: path), try DurableFile.writeUnlessPresent([2], to: path)]
        }
        #expect(made == [true, false])
        #expect(try DurableFile.read(path, limit: 9) == [1])
        #expect(try names() == ["a"])
    }

    @Test func `the folder of a name is found also before a letter that joins with the slash`() {
        #expect(DurableFile.directory(of: "/home/ada/\u{301}a") == "/home/ada")
        #expect(DurableFile.directory(of: "/\u{301}a") == "/" && DurableFile.directory(of: "\u{301}a") == ".")
    }

    @Test func `a link, a pipe and a folder that is not there are left alone`() throws {
        let target = folder.path + "/target"
        try DurableFile.write([1], to: target)
        let name = folder.path + "/a.12.0123456789abcdef.new"
        try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: target)
        let code = unsafe mkfifo(folder.path + "/b.12.0123456789abcdef.new", 0o600)
        #expect(code == 0)
        #expect(Unfinished.sweep(folder.path) == 0)
        #expect(Unfinished.sweep(folder.path + "/none") == 0)
        #expect(try names().count == 3)
    }

    @Test func `many write while others sweep, and every write succeeds`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask { [path = folder.path] in
                    for _ in 0..<200 { try DurableFile.write([UInt8(writer)], to: "\(path)/\(writer)") }
                }
                group.addTask { [path = folder.path] in
                    for _ in 0..<200 { Unfinished.sweep(path) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try names() == ["0", "1", "2", "3"])
    }
}
