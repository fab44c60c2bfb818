import Foundation
import PavisePrimitives
import TestSupport
import Testing

@Suite struct DurableFileStreamTests {
    @Test func `a stream appears when it is finished and not before`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/answer"
        try DurableFile.write(Array("old".utf8), to: path)
        var stream = try DurableFile.Stream.open(path)
        try stream.write(Array("new ".utf8))
        #expect(try DurableFile.read(path, limit: 99) == Array("old".utf8))
        try stream.write(Array("content".utf8))
        try stream.finish()
        #expect(try DurableFile.read(path, limit: 99) == Array("new content".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["answer"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `a stream that is given up leaves nothing`() throws {
        let folder = try TemporaryFolder()
        func begin() throws {
            let stream = try DurableFile.Stream.open(folder.path + "/answer")
            try stream.write([1, 2, 3])
        }
        try begin()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `a folder that is not there is a failure`() throws {
        let folder = try TemporaryFolder()
        func begin() throws { _ = try DurableFile.Stream.open(folder.path + "/none/answer") }
        #expect(throws: SystemFailure.self) { try begin() }
    }
}
