/// Marks outside of the keychain. On Apple's systems there is none: an app's own container is restored and removed
/// apart from its keychain, and a file in it says nothing about the device. There the keychain alone, which no other
/// app reaches, has to be enough.
package enum MarkBridge {
    /// Why a mark is not used.
    package enum Failure: Error, Hashable, Sendable {
        /// It is not what was written.
        case damaged
        /// Nobody can say; in words.
        case unavailable(String)
    }

    /// A mark of another program.
    package struct Foreign: Hashable, Sendable {
        /// The program's default access group.
        package let program: String
        /// What it wrote.
        package let content: [UInt8]
    }

    /// Whether this platform has a place for marks.
    package static let isKept = false

    /// There is none.
    package static func read(_ name: String) throws(Failure) -> [UInt8]? { nil }

    /// There is no place.
    package static func write(_ content: [UInt8], _ name: String) throws(Failure) {
        throw .unavailable("This platform keeps no marks.")
    }

    /// There are none.
    package static func others(_ name: String) throws(Failure) -> [Foreign] { [] }
}
