import Foundation
import PavisePrimitives
import TestSupport
import Testing

@Suite struct FolderTests {
    @Test func `names come sorted and with their kind`() throws {
        let folder = try TemporaryFolder()
        try DurableFile.makeDirectory(folder.path + "/c")
        try DurableFile.write([1].span, to: folder.path + "/b")
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
}
