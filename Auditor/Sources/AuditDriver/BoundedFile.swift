package import Foundation

/// Reads files of a folder that may be anybody's: never a device, a pipe or a link, and never more than is expected.
package enum BoundedFile {
    package enum Reading: Equatable, Sendable {
        case bytes(Data)
        /// More than the limit; so many, as the file system says.
        case tooLarge(Int)
        /// Not there, no plain file, or not to be read.
        case unreadable
    }

    /// - Parameters:
    ///   - limit: The most bytes that are taken. A file that grows meanwhile is too large as well.
    ///   - followsLinks: For a path that the person named; a link inside of an audited folder is not followed.
    package static func read(_ path: String, limit: Int, followsLinks: Bool = false) -> Reading {
        guard let (file, size) = plain(path, followsLinks) else { return .unreadable }
        guard size <= limit else { return .tooLarge(size) }
        do {
            let data = try file.read(upToCount: limit + 1) ?? Data()
            return data.count > limit ? .tooLarge(data.count) : .bytes(data)
        } catch {
            return .unreadable
        }
    }

    /// The first bytes of a plain file, `count` at most; none of anything else.
    package static func start(_ path: String, count: Int) -> [UInt8] {
        guard let (file, _) = plain(path, false), let data = try? file.read(upToCount: count) else { return [] }
        return [UInt8](data)
    }

    private static func plain(_ path: String, _ followsLinks: Bool) -> (FileHandle, Int)? {
        // Not waiting: a pipe that nobody writes to would hold the audit for ever.
        let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
        let descriptor = unsafe open(path, flags)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return (file, Int(facts.st_size))
    }

    /// The bytes, where there are some and not too many.
    package static func data(_ path: String, limit: Int) -> Data? {
        guard case .bytes(let data) = read(path, limit: limit) else { return nil }
        return data
    }
}
