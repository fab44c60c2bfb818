import Foundation
import PavisePrimitives
import TestSupport
import Testing

/// RV-H4: present, absent and "cannot say" are three answers.
@Suite struct PresenceTests {
    let folder: TemporaryFolder
    private var path: String { folder.path + "/mark" }
    init() throws { folder = try TemporaryFolder() }

    static let codes: [Int32] = [
        EACCES, EIO, ESTALE, ENOMEM, ELOOP, EPERM, ENOTDIR, ENAMETOOLONG, EMFILE, ENFILE, ETIMEDOUT, ENXIO,
    ]

    @Test("RV-H4: a file system that does not answer is no answer", arguments: codes)
    func unknown(_ code: Int32) throws {
        for isThere in [false, true] {
            if isThere { try DurableFile.write([1], to: path) }
            for call in [FileStep.Call.look, .open] {
                let observer = FileObserver(failure: { $0.call == call ? code : nil })
                FileObserver.$current.withValue(observer) {
                    if call == .look {
                        guard case .unknown(let failure) = DurableFile.presence(of: path), failure.code == code else {
                            Issue.record("presence")
                            return
                        }
                    }
                    guard call == .open else { return }
                    guard case .unknown = DurableFile.mark(path) else {
                        Issue.record("mark")
                        return
                    }
                }
            }
            let observer = FileObserver(failure: { $0.call == .read ? code : nil })
            guard isThere else { continue }
            FileObserver.$current.withValue(observer) {
                #expect(DurableFile.mark(path) == .unknown(SystemFailure(operation: "read", path: path, code: code)))
            }
        }
    }

    @Test func `a file that is not there is absent, and only that`() throws {
        #expect(DurableFile.mark(path) == .absent)
        #expect(DurableFile.presence(of: path) == .absent)
        try DurableFile.write([7], to: path)
        #expect(DurableFile.mark(path) == .present([7]))
        #expect(DurableFile.presence(of: path + "/below") != .absent)
    }

    @Test func `a link, a folder, a pipe and a long file are no marks, and nobody waits at them`() throws {
        try DurableFile.write([7], to: folder.path + "/real")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "real")
        try DurableFile.makeDirectory(folder.path + "/folder")
        #expect(unsafe mkfifo(folder.path + "/pipe", 0o600) == 0)
        try DurableFile.write([UInt8](repeating: 1, count: 1000), to: folder.path + "/long")
        for name in ["link", "folder", "pipe", "long"] {
            guard case .unknown = DurableFile.mark(folder.path + "/" + name) else {
                Issue.record("\(name)")
                continue
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `another user's file is no mark`() throws {
        try DurableFile.write([7], to: path)
        #expect(unsafe chown(path, 12345, 12345) == 0)
        guard case .unknown(let failure) = DurableFile.mark(path) else {
            Issue.record("it counts")
            return
        }
        #expect(failure.description.contains("belongs to user 12345"))
    }
}
