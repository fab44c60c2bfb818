internal import PavisePrimitives

extension StorageContainer {
    /// Where the database called `name` lies: names are sealed, a listing tells count, sizes and times.
    func databasePath(
        of name: String, _ protection: ProtectionClass
    ) throws(ProtectedDatabaseError) -> String {
        guard (1...1024).contains(name.utf8.count) else { throw .storage(.unusable(.name)) }
        let text = [protection.rawValue] + Array(name.utf8)
        do throws(StorageFailure) {
            // Class D's key: a database has to be found while the device is locked, to be told from one that is absent.
            let tag = try withDatabaseKey(for: .none) { key in StorageCrypto.tag(text, key) }
            return "\(folder)/database/\(Hex.encode(Array(tag.prefix(16)))).db"
        } catch {
            throw ProtectedDatabaseError(error)
        }
    }

    /// Removes the database called `name` and the copies of it. No connection may be open.
    func removeDatabase(_ name: String, _ protection: ProtectionClass) throws(ProtectedDatabaseError) {
        let path = try databasePath(of: name, protection)
        do throws(SystemFailure) {
            let folder = DurableFile.directory(of: path)
            let start = String(path.dropFirst(folder.count + 1).dropLast(3))
            for file in try Folder.names(in: folder) where file.hasPrefix(start) {
                try DurableFile.remove("\(folder)/\(file)")
            }
        } catch {
            throw ProtectedDatabaseError(.system(error))
        }
    }
}
