import Foundation
import PaviseManaged
import PavisePrimitives
import PaviseTransport
import TestSupport
import Testing

@Suite struct ManagedFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/managed.json" }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, to path: String, mode: Int = 0o600) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test func `need not be there, unless it was named`() throws {
        #expect(try ManagedFile(system: path, named: nil).read() == nil)
        #expect(try ManagedFile.none.read() == nil)
        #expect(throws: ManagedFile.Failure.system(SystemFailure(operation: "open", path: path, code: 2))) {
            try ManagedFile(path: path).read()
        }
    }

    @Test func `of the system goes before one that a variable names`() throws {
        let other = folder.path + "/other.json"
        try write("{ \"userApproval\": \"forbidden\" }", to: path)
        try write("{ \"userApproval\": \"allowed\" }", to: other)
        #expect(try ManagedFile(system: path, named: other).read()?.trust.personApproval == .forbidden)
        #expect(try ManagedFile(system: folder.path + "/none", named: other).read()?.trust.personApproval == .allowed)
    }

    @Test(arguments: [0o602, 0o666, 0o777])
    func `is not used when everybody may change it`(_ mode: Int) throws {
        try write("{}", to: path, mode: mode)
        #expect(throws: ManagedFile.Failure.openToAll(path)) { try ManagedFile(path: path).read() }
        try write("{}", to: path)
        #expect(try ManagedFile(path: path).read() != nil)
    }

    @Test func `is not used when everybody may replace it`() throws {
        try write("{}", to: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        #expect(throws: ManagedFile.Failure.openToAll(path)) { try ManagedFile(path: path).read() }
        try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: folder.path)
        #expect(try ManagedFile(path: path).read() != nil)
    }

    @Test(.enabled(if: FileOwner.canBeChanged, "no file can be given to another user here"))
    func `of another user is not used`() throws {
        try write("{}", to: path)
        try FileManager.default.setAttributes([.ownerAccountID: 4711], ofItemAtPath: path)
        #expect(throws: ManagedFile.Failure.foreign(path)) { try ManagedFile(path: path).read() }
    }

    // What the system said; `nil` where it was something else.
    private func refusal(of path: String) -> SystemFailure? {
        do throws(ManagedFile.Failure) {
            _ = try ManagedFile(path: path).read()
        } catch {
            guard case .system(let failure) = error else { return nil }
            return failure
        }
        return nil
    }

    @Test func `is a file and no folder or link, and not larger than its limit`() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: ManagedFile.Failure.noFile(path)) { try ManagedFile(path: path).read() }
        // What the links lead to is none, and a file that could be used.
        let good = folder.path + "/good"
        try write("{}", to: good)
        #expect(try ManagedFile(path: good).read() != nil)
        for target in ["/dev/zero", good] {
            let link = folder.path + "/link-to-" + URL(fileURLWithPath: target).lastPathComponent
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            #expect(refusal(of: link)?.code == ELOOP, "\(target)")
        }
        let large = folder.path + "/large"
        let text = "{}" + String(repeating: " ", count: ManagedConfiguration.limit - 2)
        try write(text, to: large)
        #expect(try ManagedFile(path: large).read() != nil)
        try write(text + " ", to: large)
        #expect(refusal(of: large)?.code == EFBIG)
    }

    @Test func `with a value that cannot be used says where`() throws {
        try write("{ \"renewal\": 1 }", to: path)
        #expect { try ManagedFile(path: path).read() } throws: { "\($0)".contains("renewal: expected one of") }
    }

    // The folder above is the machine's; this test's user plays the administrator.
    private func system() -> ManagedFile { ManagedFile(system: path, named: nil, administrator: getuid()) }

    @Test(arguments: [0o644, 0o600, 0o664, 0o646, 0o660])
    func `of the system is not used when a group or everybody may change it`(_ mode: Int) throws {
        try write("{}", to: path, mode: mode)
        guard mode & 0o022 == 0 else {
            #expect(throws: ManagedFile.Failure.notRoots(path)) { try system().read() }
            return
        }
        #expect(try system().read() != nil)
    }

    @Test(arguments: [0o755, 0o775, 0o757, 0o1777])
    func `of the system is not used when others may change a folder on the way to it`(_ mode: Int) throws {
        let inner = folder.path + "/inner"
        let file = inner + "/managed.json"
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
        try write("{}", to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
        let managed = ManagedFile(system: file, named: nil, administrator: getuid())
        guard mode & 0o022 == 0 || mode & 0o1000 != 0 else {
            #expect(throws: ManagedFile.Failure.notRoots(folder.path)) { try managed.read() }
            return
        }
        #expect(try managed.read() != nil)
    }

    @Test(.enabled(if: getuid() != 0, "what root owns is the administrator's"))
    func `of the system that another user than the administrator owns is not used`() throws {
        try write("{}", to: path)
        let managed = ManagedFile(system: path, named: nil, administrator: getuid() + 1)
        #expect(throws: ManagedFile.Failure.notRoots(path)) { try managed.read() }
    }

    @Test(.enabled(if: FileOwner.canBeChanged, "no file can be given to another user here"))
    func `of the system belongs to the administrator, as its folders do`() throws {
        try write("{}", to: path)
        try FileManager.default.setAttributes([.ownerAccountID: 4711], ofItemAtPath: path)
        #expect(throws: ManagedFile.Failure.notRoots(path)) { try system().read() }
        try FileManager.default.setAttributes([.ownerAccountID: Int(getuid())], ofItemAtPath: path)
        try FileManager.default.setAttributes([.ownerAccountID: 4711], ofItemAtPath: folder.path)
        #expect(throws: ManagedFile.Failure.notRoots(folder.path)) { try system().read() }
    }

    @Test func `that cannot be read is not mended by another home`() {
        let failure = ManagedFile.Failure.system(SystemFailure(operation: "open", path: path, code: EACCES))
        #expect(!failure.description.contains("PAVISE_HOME") && failure.description.contains(path))
    }
}
