internal import Foundation
internal import PavisePrimitives

/// What the file system is told of a protected file or folder, and read back: the class of Data Protection, and that no
/// backup takes it. An attribute that does not read back is an error, because it can be lost with each replacement.
enum FileProtection {
    // A volume of macOS, and the simulator, may keep no class (SECURITY.md).
    #if os(macOS) || targetEnvironment(simulator)
    private static let isKept = false
    #else
    private static let isKept = true
    #endif

    /// Files that are made in the folder later begin with the weakest class; each says its own.
    static func protectFolder(_ path: String) throws(StorageFailure) {
        let facts = try StorageContainer.attempt { () throws(SystemFailure) in try FileFacts(of: path) }
        if let problem = facts.problemAsOwnFolder { throw .system(.refused(path, problem)) }
        try exclude(path)
    }

    /// Before the first byte.
    static func protect(_ file: borrowing UnfinishedFile, _ protection: ProtectionClass) throws(StorageFailure) {
        try protect(file.place, protection)
    }

    /// The same for a file that was made at `path` and is empty yet.
    static func protect(_ path: String, _ protection: ProtectionClass) throws(StorageFailure) {
        do {
            try FileManager.default.setAttributes([.protectionKey: attribute(protection)], ofItemAtPath: path)
        } catch {
            guard !isKept else { throw .damaged(.protection) }
        }
    }

    /// After the file got its name: its class, and that no backup takes it.
    static func readBack(_ path: String, _ protection: ProtectionClass) throws(StorageFailure) {
        try exclude(path)
        guard isKept else { return }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard attributes?[.protectionKey] as? FileProtectionType == attribute(protection) else {
            throw .damaged(.protection)
        }
    }

    private static func exclude(_ path: String) throws(StorageFailure) {
        var url = URL(fileURLWithPath: path)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        do {
            try url.setResourceValues(values)
            let read = try URL(fileURLWithPath: path).resourceValues(forKeys: [.isExcludedFromBackupKey])
            guard read.isExcludedFromBackup == true else { throw StorageFailure.damaged(.protection) }
        } catch {
            throw .damaged(.protection)
        }
    }

    private static func attribute(_ protection: ProtectionClass) -> FileProtectionType {
        switch protection {
        case .complete: .complete
        case .completeUnlessOpen: .completeUnlessOpen
        case .untilFirstUserAuthentication: .completeUntilFirstUserAuthentication
        case .none: .none
        }
    }
}
