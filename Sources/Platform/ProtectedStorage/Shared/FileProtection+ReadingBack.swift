internal import PavisePrimitives

extension FileProtection {
    /// Reads back, after the file got its name, whose it is, who may read it, and what the system keeps of it.
    ///
    /// Another process may replace the file in this moment, for its own name or in the middle of the look: then what
    /// took its place is looked at, and only what one and the same file fails twice is a damage.
    static func check(_ path: String, _ protection: ProtectionClass) throws(StorageFailure) {
        var failed: FileIdentity.Location?
        for _ in 0..<16 {
            let seen = FileIdentity(path)?.place
            do throws(StorageFailure) {
                let facts = try StorageContainer.attempt { () throws(SystemFailure) in try FileFacts(of: path) }
                // One that was replaced between its name and its facts.
                if facts.names == 0 { continue }
                guard facts.isOursAlone, facts.mode & 0o777 == 0o600 else { throw .damaged(.protection) }
                return try readBack(path, protection)
            } catch {
                guard let seen, seen != failed, FileIdentity(path) != nil else { throw error }
                failed = seen
            }
        }
        throw .busy
    }
}
