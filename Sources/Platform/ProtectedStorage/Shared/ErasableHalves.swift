internal import PavisePrimitives

/// Erasable files: half of the key lies in the file's head, wrapped, and the other half is a row of a database of the
/// container. Without the row no copy of that writing opens, also for whoever has the container's keys.
///
/// A row belongs to one writing: its key is the wrapped key in the head, which no other writing has.
enum ErasableHalves {
    /// What the database of each class is called.
    static let name = "pavise.halves"

    /// A step that must survive a crash after it. A test stops the work there.
    package enum Step: Hashable, Sendable, CaseIterable {
        /// The half is on the disk, and the file has its old content or none.
        case halfStored
        /// The file has its new content.
        case placed
        /// The halves of older writings are destroyed.
        case olderErased
        /// The half of a removed file is destroyed; its file is still there.
        case halfDestroyed

        /// Whether a test lets the work go on after a step; `false` stops it as a crash does.
        @TaskLocal package static var observer: (@Sendable (Step) -> Bool)?

        func reached() throws(StorageFailure) {
            guard Self.observer?(self) ?? true else { throw .busy }
        }
    }

    /// The whole key: one half behind the other. HKDF takes both as its input (RFC 5869, 3.3).
    static func joined(_ first: borrowing SecretBytes, _ second: borrowing SecretBytes) -> SecretBytes {
        first.withBytes { first in
            second.withBytes { second in
                SecretBytes(count: first.count + second.count) { target in
                    for index in first.indices { target[index] = first[index] }
                    for index in second.indices { target[first.count + index] = second[index] }
                }
            }
        }
    }
}
