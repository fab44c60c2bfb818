internal import PavisePrimitives

#if canImport(Glibc)
internal import Glibc
#endif

/// One version of the element's file, as it was read.
///
/// The file stays open: while it is, no later version can get its number from the file system, so that comparing
/// numbers tells for certain whether the path still means this version.
final class TPMStateFile: Sendable {
    /// What the file says.
    let state: TPMState
    private let file: FileDescriptor
    private let identity: Identity

    private struct Identity: Hashable {
        let device: UInt
        let number: UInt
        init(_ status: stat) {
            device = UInt(status.st_dev)
            number = UInt(status.st_ino)
        }
    }

    private init(state: TPMState, file: consuming FileDescriptor, identity: Identity) {
        self.state = state
        self.file = file
        self.identity = identity
    }

    /// Reads the file at `path`; `nil` when there is none.
    static func read(_ path: String) throws -> TPMStateFile? {
        guard try DurableFile.presence(of: path).get() != nil else { return nil }
        let file = try FileDescriptor.openOwn(path, O_RDONLY, isSecret: true)
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else {
            throw SystemFailure(operation: "fstat", path: path, code: errno)
        }
        guard let state = TPMState(try file.readAll(limit: TPMState.longest)) else {
            throw DeviceFailure.damaged(file: path)
        }
        return TPMStateFile(state: state, file: file, identity: Identity(status))
    }

    /// Whether the path still means this version.
    func isCurrent(at path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && Identity(status) == identity
    }
}
