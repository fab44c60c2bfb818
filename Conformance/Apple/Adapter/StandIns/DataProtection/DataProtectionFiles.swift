import Foundation
import Glibc

// What Apple's file systems keep of a file and Foundation on Linux forgets: its class of Data Protection, and that no
// backup takes it. Here both are extended attributes of the file: like Apple's they belong to the file itself, go along
// when it gets another name, and are gone with a new file of that name. The types stand in the places of Foundation's
// for the files of this module alone.

/// What a system may do otherwise than it was told.
enum AttributeFault: CaseIterable, Sendable {
    /// It refuses to set a class.
    case classRefused
    /// It sets none and says nothing.
    case classForgotten
    /// It refuses to leave a file out of backups.
    case backupRefused
    /// It does not leave it out and says nothing.
    case backupForgotten

    @TaskLocal static var current: AttributeFault?
}

/// Foundation's class, as far as files are told what protects them.
struct FileManager {
    static let `default` = FileManager()

    func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws {
        guard AttributeFault.current != .classRefused else { throw CocoaError(.fileWriteNoPermission) }
        guard let type = attributes[.protectionKey] as? FileProtectionType, AttributeFault.current != .classForgotten
        else { return }
        try ExtendedAttribute.protection.set(type.rawValue, of: path)
    }

    /// A file that was told nothing has the class of its app's container, which is Apple's default.
    func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] {
        let value = try ExtendedAttribute.protection.value(of: path)
        let type = value.map { FileProtectionType(rawValue: $0) } ?? .completeUntilFirstUserAuthentication
        return [.protectionKey: type]
    }
}

/// Foundation's keys and values of resources, as far as they are used.
enum URLResourceKey { case isExcludedFromBackupKey }

struct URLResourceValues {
    var isExcludedFromBackup: Bool?
}

/// Foundation's URL, as far as a file's resources are told.
struct URL {
    let path: String

    init(fileURLWithPath path: String) { self.path = path }

    mutating func setResourceValues(_ values: URLResourceValues) throws {
        guard AttributeFault.current != .backupRefused else { throw CocoaError(.fileWriteNoPermission) }
        guard let isExcluded = values.isExcludedFromBackup, AttributeFault.current != .backupForgotten else { return }
        try ExtendedAttribute.backup.set(isExcluded ? "excluded" : "", of: path)
    }

    func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues {
        URLResourceValues(isExcludedFromBackup: try ExtendedAttribute.backup.value(of: path) == "excluded")
    }
}

/// One attribute of a file (xattr(7)).
enum ExtendedAttribute: String {
    case protection = "user.pavise.protection"
    case backup = "user.pavise.backup"

    func set(_ value: String, of path: String) throws {
        let bytes = Array(value.utf8)
        guard unsafe setxattr(path, rawValue, bytes, bytes.count, 0) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    func value(of path: String) throws -> String? {
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = unsafe getxattr(path, rawValue, &bytes, bytes.count)
        guard count >= 0 else {
            guard unsafe errno == ENODATA else { throw CocoaError(.fileReadUnknown) }
            return nil
        }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
