#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// What is known of a file: three different answers. Only the first two are knowledge; on the third nothing may be
/// destroyed, and nothing made in the place of what may be there.
package enum Presence<Found> {
    /// It is there.
    case present(Found)
    /// It is not there.
    case absent
    /// The system did not say: the folder may not be read, the disk does not answer, or what lies there is no file of
    /// ours.
    case unknown(SystemFailure)

    /// What is there; `nil` when it is certain that nothing is.
    ///
    /// - Throws: The reason when nobody can say.
    package func get() throws(SystemFailure) -> Found? {
        switch self {
        case .present(let found): return found
        case .absent: return nil
        case .unknown(let failure): throw failure
        }
    }

    init(_ body: () throws(SystemFailure) -> Found) {
        do throws(SystemFailure) {
            self = .present(try body())
        } catch {
            self = error.isNotThere ? .absent : .unknown(error)
        }
    }
}

extension Presence: Equatable where Found: Equatable {}
extension Presence: Hashable where Found: Hashable {}
extension Presence: Sendable where Found: Sendable {}

extension DurableFile {
    /// What lies at `path`; a link is not followed. Only the answer of the system that there is no such name (`ENOENT`)
    /// is absence.
    package static func presence(of path: String) -> Presence<FileFacts> {
        Presence { () throws(SystemFailure) in try FileFacts(of: path) }
    }

    /// The content of a small file that says something by being there: a mark that an erase or a removal has begun.
    ///
    /// A mark is a regular file of this user's that was opened through no link and read. Anything else is
    /// ``Presence/unknown(_:)``.
    package static func mark(_ path: String, limit: Int = 256) -> Presence<[UInt8]> {
        Presence { () throws(SystemFailure) in try read(path, limit: limit) }
    }
}
