internal import PavisePrimitives

/// What the file system is told of a protected file or folder, and read back: on Linux owner and mode.
enum FileProtection {
    /// Refuses a folder that is not this user's alone.
    static func protectFolder(_ path: String) throws(StorageFailure) {
        let facts = try StorageContainer.attempt { () throws(SystemFailure) in try FileFacts(of: path) }
        if let problem = facts.problemAsOwnFolder { throw .system(.refused(path, problem)) }
    }

    /// Nothing to do here: the file was made with mode 0600, and its content is sealed.
    static func protect(_ file: borrowing UnfinishedFile, _ protection: ProtectionClass) throws(StorageFailure) {}

    /// Reads back, after the file got its name, whose it is and who may read it.
    static func check(_ path: String, _ protection: ProtectionClass) throws(StorageFailure) {
        // One that another process replaces in this moment has no name any more: what took its place is looked at.
        for _ in 0..<16 {
            let facts = try StorageContainer.attempt { () throws(SystemFailure) in try FileFacts(of: path) }
            if facts.names == 0 { continue }
            guard facts.isOursAlone, facts.mode & 0o777 == 0o600 else { throw .damaged(.protection) }
            return
        }
        throw .busy
    }
}
