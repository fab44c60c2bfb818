internal import CFileAttributes
internal import Foundation

/// What Apple's file systems keep of a file beside its bytes, as Apple documents it, and Foundation on Linux forgets:
/// its class of Data Protection, and that no backup takes it.
///
/// The types have the names of Foundation's and stand inside of `FileProtection`: Apple's file of that name finds these
/// first, and is built as it is.
extension FileProtection {
    /// What a system may do otherwise than it was told.
    enum Fault: CaseIterable, Sendable {
        /// It refuses to set a class.
        case classRefused
        /// It sets none and says nothing.
        case classForgotten
        /// It sets another class, and says nothing.
        case classWeakened
        /// It refuses to leave a file out of backups.
        case backupRefused
        /// It does not leave it out and says nothing.
        case backupForgotten
    }

    /// The system was told the class of a file.
    struct Telling: Hashable, Sendable {
        let path: String
        let type: String
        /// The file's bytes at that moment.
        let size: Int
    }

    @TaskLocal static var fault: Fault?
    @TaskLocal static var observer: (@Sendable (Telling) -> Void)?

    /// Foundation's names of the classes. Its type on Linux cannot be compared.
    struct FileProtectionType: RawRepresentable, Hashable, Sendable {
        let rawValue: String

        static let complete = FileProtectionType(rawValue: "NSFileProtectionComplete")
        static let completeUnlessOpen = FileProtectionType(rawValue: "NSFileProtectionCompleteUnlessOpen")
        static let completeUntilFirstUserAuthentication = FileProtectionType(
            rawValue: "NSFileProtectionCompleteUntilFirstUserAuthentication")
        static let none = FileProtectionType(rawValue: "NSFileProtectionNone")
    }

    /// Foundation's class, as far as files are told what protects them.
    struct FileManager: Sendable {
        static let `default` = FileManager()

        func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws {
            guard FileProtection.fault != .classRefused else { throw CocoaError(.fileWriteNoPermission) }
            guard let type = attributes[.protectionKey] as? FileProtectionType,
                FileProtection.fault != .classForgotten
            else { return }
            let size = try Data(contentsOf: Foundation.URL(fileURLWithPath: path)).count
            FileProtection.observer?(Telling(path: path, type: type.rawValue, size: size))
            let kept = FileProtection.fault == .classWeakened ? FileProtectionType.none : type
            try FileAttribute.protection.set(kept.rawValue, of: path)
        }

        /// A file that was told nothing has the class of its app's container, which is Apple's default. SQLite makes
        /// the log with the class that the database was opened with, and the index with that default.
        func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] {
            var type = try FileAttribute.protection.value(of: path)
            if type == nil, path.hasSuffix("-wal") {
                type = try FileAttribute.database.value(of: String(path.dropLast(4)))
            }
            let kept = type.map { FileProtectionType(rawValue: $0) }
            return [.protectionKey: kept ?? FileProtectionType.completeUntilFirstUserAuthentication]
        }
    }

    /// Foundation's keys and values of resources, as far as they are used.
    enum URLResourceKey { case isExcludedFromBackupKey }

    /// See ``URLResourceKey``.
    struct URLResourceValues {
        var isExcludedFromBackup: Bool?
    }

    /// Foundation's URL, as far as a file's resources are told.
    struct URL {
        let path: String

        init(fileURLWithPath path: String) { self.path = path }

        mutating func setResourceValues(_ values: URLResourceValues) throws {
            guard FileProtection.fault != .backupRefused else { throw CocoaError(.fileWriteNoPermission) }
            guard let isExcluded = values.isExcludedFromBackup, FileProtection.fault != .backupForgotten else { return }
            try FileAttribute.backup.set(isExcluded ? "excluded" : "included", of: path)
        }

        func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues {
            URLResourceValues(isExcludedFromBackup: try FileAttribute.backup.value(of: path) == "excluded")
        }
    }
}

/// One attribute that the stand-ins keep with a file.
enum FileAttribute: String {
    case protection = "user.pavise.protection"
    case backup = "user.pavise.backup"
    /// The class that SQLite was opened with (StandIns/SQLite3/SQLite3.h).
    case database = "user.pavise.sqlite"

    func set(_ value: String, of path: String) throws {
        guard unsafe file_attribute_set(path, rawValue, value) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    func value(of path: String) throws -> String? {
        var bytes = [CChar](repeating: 0, count: 200)
        let count = unsafe file_attribute_read(path, rawValue, &bytes, UInt(bytes.count))
        guard count >= 0 else { throw CocoaError(.fileReadUnknown) }
        return count == 0 ? nil : String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
