import Foundation
import PaviseCommands
import PaviseDevice
import PavisePrimitives
import PaviseProtectedStorage
import PaviseStorage
import SecurityFramework
import TestSupport
import Testing

/// `pavise files`: a person's files in the container of the home.
@Suite struct FilesCommandTests {
    let stage: DeviceStage
    let folder: TemporaryFolder
    private let lock = LockSwitch()

    init() throws {
        stage = try DeviceStage()
        folder = try TemporaryFolder()
    }

    private func run(_ words: String...) async -> LabStage.Result {
        await SecurityEnvironment.$override.withValue(SecurityEnvironment(home: stage.home, lock: lock)) {
            await stage.run(words)
        }
    }

    private func source(_ text: String = "Slept well.") throws -> String {
        let path = folder.path + "/night.txt"
        try DurableFile.write(Array(text.utf8), to: path)
        return path
    }

    private func keepInDiary() throws {
        try SecurityEnvironment.$override.withValue(SecurityEnvironment(home: stage.home, lock: lock)) {
            let files = try ProtectedContainer.open("diary", in: stage.home).files
            try files.put(Array("Slept well.".utf8), named: "night.txt", protection: .complete)
        }
    }

    private var stored: String {
        get throws {
            let files = stage.home.path + "/protected/files"
            return files + "/" + (try Folder.names(in: files).first ?? "")
        }
    }

    @Test func `a file is put, listed, given out, checked and removed`() async throws {
        #expect(await run("files", "put", try source(), "--class", "complete", "--type", "text/plain").status == .done)
        let list = await run("files", "list", "--json")
        #expect(list.output.contains("night.txt") && list.output.contains("text/plain"))
        #expect(await run("files", "get", "night.txt").output == "Slept well.")
        let target = folder.path + "/out"
        #expect(await run("files", "get", "night.txt", target).status == .done)
        #expect(try DurableFile.read(target, limit: 99) == Array("Slept well.".utf8))
        #expect(await run("files", "verify").status == .done)
        #expect(await run("files", "put", try source("Better."), "--class", "complete", "--replace").status == .done)
        #expect(await run("files", "get", "night.txt").output == "Better.")
        #expect(await run("files", "remove", "night.txt").status == .done)
        #expect(await run("files", "get", "night.txt").status == .failed)
    }

    @Test func `CL10: a stop between two pieces leaves the old file, and nothing in clear`() async throws {
        _ = await run("files", "put", try source(), "--class", "none")
        let target = folder.path + "/out"
        try DurableFile.write(Array("old".utf8), to: target)
        stage.willStop()
        let result = await run("files", "get", "night.txt", target)
        #expect(result.status == .failed && result.messages.contains("Stopped before the end"))
        #expect(try DurableFile.read(target, limit: 99) == Array("old".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["night.txt", "out"])
    }

    @Test func `content at a terminal cannot command it, and in a pipe it is untouched`() async throws {
        let text = "a\u{1B}[2Jb\n"
        _ = await run("files", "put", try source(text), "--class", "none")
        #expect(await run("files", "get", "night.txt").output == text)
        let shown = await SecurityEnvironment.$override.withValue(SecurityEnvironment(home: stage.home, lock: lock)) {
            await stage.run(["files", "get", "night.txt"], isTerminal: true)
        }
        #expect(shown.output == "a\u{FFFD}[2Jb\n")
    }

    @Test func `the files of an app's container are listed, given out and removed, and none is made`() async throws {
        try keepInDiary()
        #expect(await run("files", "get", "night.txt").status == .failed)
        #expect(await run("files", "list", "--container", "diary").output.contains("night.txt"))
        #expect(await run("files", "get", "night.txt", "--container", "diary").output == "Slept well.")
        #expect(await run("files", "verify", "--container", "diary").status == .done)
        let better = await run(
            "files", "put", try source("Better."), "--class", "complete", "--replace", "--container", "diary")
        #expect(better.status == .done)
        #expect(await run("files", "get", "night.txt", "--container", "diary").output == "Better.")
        #expect(await run("files", "remove", "night.txt", "--container", "diary").status == .done)
        #expect(await run("files", "get", "night.txt", "--container", "diary").status == .failed)
        #expect(await run("files", "list", "--container", "other").status == .failed)
        #expect(!DurableFile.exists(stage.home.path + "/containers/other"))
    }

    @Test(arguments: [false, true])
    func `progress goes to a terminal beside a slow pipe, and never between lines of content`(
        _ isTerminal: Bool
    ) async throws {
        let text = String(repeating: "a", count: 100_000)
        _ = await run("files", "put", try source(text), "--class", "none")
        let (output, messages) = (SlowSink(isTerminal: isTerminal), MemorySink())
        messages.becomeTerminal()
        let status = await SecurityEnvironment.$override.withValue(
            SecurityEnvironment(home: stage.home, lock: lock)
        ) {
            await stage.run(["files", "get", "night.txt"], output: output, messages: messages)
        }
        #expect(status == .done && output.sink.text == text)
        #expect(messages.text.contains("of 97 KiB") == !isTerminal)
    }

    @Test func `DR1: without a class nothing is stored`() async throws {
        #expect(await run("files", "put", try source()).status == .usage)
        #expect(!DurableFile.exists(stage.home.path + "/protected"))
    }

    @Test func `while locked it says locked, and gives nothing`() async throws {
        _ = await run("files", "put", try source(), "--class", "complete")
        lock.state = .locked
        let answer = await run("files", "get", "night.txt")
        #expect(answer.status == .locked && answer.output.isEmpty)
        #expect(await run("files", "verify").status == .locked)
    }

    @Test func `DR5: of a damaged file nothing goes to a pipe, unless a prefix is asked for`() async throws {
        let text = String(repeating: "a", count: 100_000)
        _ = await run("files", "put", try source(text), "--class", "none")
        var bytes = try DurableFile.read(try stored, limit: 1 << 20)
        bytes[bytes.count - 20] ^= 1
        try DurableFile.write(bytes, to: try stored)
        let whole = await run("files", "get", "night.txt")
        #expect(whole.status == .failed && whole.output.isEmpty)
        let prefix = await run("files", "get", "night.txt", "--unverified-prefix")
        #expect(prefix.status == .failed && prefix.output == String(repeating: "a", count: 65_536))
        let target = folder.path + "/out"
        #expect(await run("files", "get", "night.txt", target).status == .failed)
        #expect(!DurableFile.exists(target))
        #expect(await run("files", "verify").status == .failed)
    }

    @Test func `DR5: a name is not told as absent while a file that does not open may have it`() async throws {
        _ = await run("files", "put", try source(), "--class", "none")
        #expect(await run("files", "get", "other.txt").messages.contains("There is no file of this name."))
        var bytes = try DurableFile.read(try stored, limit: 1 << 20)
        bytes[40] ^= 1
        try DurableFile.write(bytes, to: try stored)
        let answer = await run("files", "get", "night.txt")
        #expect(answer.status == .failed && answer.output.isEmpty)
        #expect(answer.messages.contains("1 cannot be, and one of these may be it"), "\(answer.messages)")
        let identifier = try #require(try stored.split(separator: "/").last)
        // By its identifier it is found, and told as what it is.
        let found = await run("files", "get", String(identifier))
        #expect(found.status != .done && !found.messages.contains("has this name"), "\(found.messages)")
    }
}

/// A pipe or a terminal that takes its time for the first piece: longer than work is silent.
private final class SlowSink: ByteSink {
    let isTerminal: Bool
    let sink = MemorySink()

    init(isTerminal: Bool) { self.isTerminal = isTerminal }

    func write(_ bytes: [UInt8]) throws(SystemFailure) {
        if sink.all.isEmpty { usleep(1_100_000) }
        try sink.write(bytes)
    }
}
