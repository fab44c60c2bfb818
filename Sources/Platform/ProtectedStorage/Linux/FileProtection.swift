internal import PavisePrimitives

/// What the file system is told of a protected file or folder: on Linux its owner and mode, read back.
enum FileProtection {
    /// Refuses a folder that is not this user's alone.
    static func protectFolder(_ path: String) throws(StorageFailure) {
        let facts = try StorageContainer.attempt { () throws(SystemFailure) in try FileFacts(of: path) }
        if let problem = facts.problemAsOwnFolder { throw .system(.refused(path, problem)) }
    }
}
