import Foundation
import PavisePrimitives
import TestSupport
import Testing

@Suite struct FolderTests {
    @Test func `names come sorted and with their kind`() throws {
        let folder = try TemporaryFolder()
        try DurableFile.makeDirectory(folder.path + "/c")
        try DurableFile.write([1], to: folder.path + "/b")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/a", withDestinationPath: "/missing")
        let entries = try Folder.entries(of: folder.path)
        #expect(entries.map(\.name) == ["a", "b", "c"])
        #expect(entries.map(\.kind) == [.link, .file, .folder])
    }

    @Test func `an empty folder is empty, a missing one is an error`() throws {
        let folder = try TemporaryFolder()
        #expect(try Folder.entries(of: folder.path).isEmpty)
        #expect(throws: SystemFailure.self) { try Folder.entries(of: folder.path + "/missing") }
    }

    @Test func `a link is not opened for reading`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/a", withDestinationPath: "/etc/hostname")
        #expect(throws: SystemFailure.self) { _ = try FileDescriptor.openForReading(folder.path + "/a").number }
    }

    @Test func `SM2: a name that is taken is given to no other file, and no other file is made under it`() throws {
        let folder = try TemporaryFolder()
        for name in ["mine", "theirs"] { try DurableFile.write(Array(name.utf8), to: folder.path + "/" + name) }
        let opened = try OpenFolder.open(folder.path)
        var codes: [Int32] = []
        do throws(SystemFailure) { try opened.move("mine", to: "theirs", in: opened) } catch {
            codes.append(error.code)
        }
        do throws(SystemFailure) { _ = try opened.create("theirs").number } catch { codes.append(error.code) }
        #expect(codes == [EEXIST, EEXIST])
        for name in ["mine", "theirs"] {
            #expect(try DurableFile.read(folder.path + "/" + name, limit: 10) == Array(name.utf8))
        }
    }

    @Test("RV-L1: a removal takes links away and follows none, at the top and below")
    func linkAtTheTop() throws {
        let folder = try TemporaryFolder()
        let outside = folder.path + "/outside"
        try DurableFile.makeDirectory(outside)
        try DurableFile.write([1], to: outside + "/kept")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: outside)
        try Folder.remove(folder.path + "/link")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["outside"])
        try DurableFile.makeDirectory(folder.path + "/top/deep")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/top/deep/link", withDestinationPath: outside)
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/top/lost", withDestinationPath: "/missing")
        #expect(unsafe mkfifo(folder.path + "/top/pipe", 0o600) == 0)
        try Folder.remove(folder.path + "/top")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["outside"])
        #expect(try DurableFile.read(outside + "/kept", limit: 9) == [1])
        #expect(throws: Never.self) { try Folder.remove(folder.path + "/top") }
    }

    @Test func `a name that is no UTF-8 does not keep a folder from being removed`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a"
        try DurableFile.makeDirectory(path)
        let strange = Array(path.utf8CString.dropLast()) + [0x2F, CChar(truncatingIfNeeded: 0xFF)]
        // Where the file system takes such a name.
        guard unsafe mkdir(strange + [0], 0o700) == 0 else { return }
        let file = unsafe open(strange + [0x2F, CChar(truncatingIfNeeded: 0xFE), 0], O_WRONLY | O_CREAT, 0o600)
        #expect(file >= 0)
        close(file)
        try Folder.remove(path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `what cannot be looked at is not removed, and not called gone`() throws {
        let folder = try TemporaryFolder()
        try DurableFile.makeDirectory(folder.path + "/a")
        let observer = FileObserver(failure: { $0.call == .look ? EIO : nil })
        #expect(throws: SystemFailure.self) {
            try FileObserver.$current.withValue(observer) { try Folder.remove(folder.path + "/a") }
        }
        #expect(DurableFile.exists(folder.path + "/a"))
    }

    @Test func `folders in folders beyond the limit are an error`() throws {
        let folder = try TemporaryFolder()
        try DurableFile.makeDirectory(folder.path + "/a/b/c/d")
        #expect(throws: SystemFailure.self) { try Folder.remove(folder.path + "/a", depth: 3) }
        #expect(throws: Never.self) { try Folder.remove(folder.path + "/a", depth: 4) }
    }
}
