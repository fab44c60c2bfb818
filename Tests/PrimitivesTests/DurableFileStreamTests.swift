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

    @Test func `no file takes the place of a pipe, also of one that came later`() throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path + "/pipe"
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        let late = folder.path + "/late"
        func begin() throws { _ = try DurableFile.Stream.open(pipe) }
        func finishLate() throws {
            var stream = try DurableFile.Stream.open(late)
            try stream.write([1, 2, 3])
            #expect(unsafe mkfifo(late, 0o600) == 0)
            try stream.finish()
        }
        let refused = FileProblem.device.explanation(pipe)
        #expect("\(try #require(throws: SystemFailure.self) { try begin() })".contains(refused))
        #expect(throws: SystemFailure.self) { try finishLate() }
        #expect(throws: SystemFailure.self) { try DurableFile.write(Array("all".utf8), to: pipe) }
        #expect(try FileFacts(of: pipe).kind == .other && FileFacts(of: late).kind == .other)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["late", "pipe"])
    }

    @Test func `a link to a device or a pipe is not replaced, one to a file is`() throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path + "/pipe"
        let file = folder.path + "/file"
        let link = folder.path + "/link"
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        try DurableFile.write(Array("old".utf8), to: file)
        for target in [pipe, "/dev/null", "/proc/self/fd/1"] {
            #expect(unsafe symlink(target, link) == 0)
            #expect(throws: SystemFailure.self) { try DurableFile.write(Array("new".utf8), to: link) }
            #expect(try FileFacts(of: link).kind == .link)
            #expect(unsafe unlink(link) == 0)
        }
        #expect(unsafe symlink(file, link) == 0)
        try DurableFile.write(Array("new".utf8), to: link)
        #expect(try FileFacts(of: link).kind == .file)
        #expect(try DurableFile.read(file, limit: 99) == Array("old".utf8))
    }

    @Test func `a folder that is not there is a failure`() throws {
        let folder = try TemporaryFolder()
        func begin() throws { _ = try DurableFile.Stream.open(folder.path + "/none/answer") }
        #expect(throws: SystemFailure.self) { try begin() }
    }
}
