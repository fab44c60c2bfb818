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

    /// Nothing more than owner and mode is kept of a file here.
    static func readBack(_ path: String, _ protection: ProtectionClass) throws(StorageFailure) {}
}
