import Foundation
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

@testable import PaviseProtectedStorage

/// A container as another process sees it, which is killed or whose disk is full: the code of a test's child.
private enum Child {
    static func withContainer<Value>(_ home: String, _ body: (StorageContainer) throws -> Value) throws -> Value {
        let environment = SecurityEnvironment(home: PaviseHome(path: home))
        return try SecurityEnvironment.$override.withValue(environment) {
            try body(try StorageContainer.open(home + "/protected", name: "home"))
        }
    }

    static func write(
        _ value: UInt8, count: Int, over id: StoredFileID?, _ container: StorageContainer
    ) throws -> StoredFileID {
        try container.writeFile(name: "a", type: "", modified: 0, protection: .complete, replacing: id) {
            (write: ([UInt8]) throws(StorageFailure) -> Void) throws(StorageFailure) in
            try write([UInt8](repeating: value, count: count))
        }.get()
    }
}

/// Kills and full disks over containers: old or new, never neither, never a mix, nothing left behind.
@Suite struct InterruptionTests {
    let folder: TemporaryFolder
    private var home: String { folder.path + "/home" }

    init() throws {
        folder = try TemporaryFolder()
        try DurableFile.makeDirectory(folder.path + "/home")
    }

    @Test(arguments: [300, 3_000, 9_000, 20_000, 50_000] as [UInt32])
    func `DR8: a writer that is killed leaves the old or the new content`(_ microseconds: UInt32) async throws {
        let id = try Child.withContainer(home) { try Child.write(1, count: 200_000, over: nil, $0) }
        let (home, name) = (home, "\(id)")
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [home = home as String, name = name as String, microseconds = microseconds as UInt32] in
            try Child.withContainer(home) { container in
                let id = try #require(StoredFileID(name))
                Thread {
                    usleep(microseconds)
                    kill(getpid(), SIGKILL)
                }.start()
                for value in UInt8(2)... { _ = try Child.write(value, count: 200_000, over: id, container) }
            }
        }
        try Child.withContainer(home) { container in
            let bytes = try container.readFile(id).readAll(limit: 1 << 20)
            #expect(bytes.count == 200_000 && Set(bytes).count == 1)
            #expect(try container.fileIDs().files == [id])
            let names = try Folder.names(in: container.filesFolder)
            #expect(names == ["\(id)"])
        }
    }

    @Test(arguments: [0, 100, 5_000, 70_000, 150_000] as [UInt])
    func `DR8: on a full disk nothing changes, and nothing stays of the attempt`(_ size: UInt) async throws {
        let id = try Child.withContainer(home) { try Child.write(1, count: 200_000, over: nil, $0) }
        let (home, name) = (home, "\(id)")
        await #expect(processExitsWith: .success) {
            [home = home as String, name = name as String, size = size as UInt] in
            try Child.withContainer(home) { container in
                let id = try #require(StoredFileID(name))
                signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit(rlim_cur: rlim_t(size), rlim_max: rlim_t.max)
                let code = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                #expect(code == 0)
                do {
                    _ = try Child.write(2, count: 200_000, over: id, container)
                    Issue.record("a file larger than the disk was written")
                } catch StorageFailure.system(let failure) {
                    #expect(failure.isDiskFull)
                }
                #expect(try container.readFile(id).readAll(limit: 1 << 20) == [UInt8](repeating: 1, count: 200_000))
                #expect(try Folder.names(in: container.filesFolder) == ["\(id)"])
            }
        }
    }
}
