internal import PavisePrimitives

/// What the secret store says of a container: 1 byte version, 1 byte state, 1 byte classes, 16 bytes identifier.
///
/// It is the only authority: what lies in the folder proves nothing.
struct ContainerRecord: Hashable, Sendable {
    enum State: UInt8, Sendable {
        case inUse = 1
        /// A removal has begun; whoever sees this finishes it.
        case removing = 2
        /// A renewal of the keys fills it; the other place is in use.
        case making = 3
        /// It takes the place of the other one, which whoever sees this removes.
        case replacing = 4
    }

    private static let version: UInt8 = 1
    var state = State.inUse
    // A bit for each class whose key was made.
    private var classes: UInt8 = 0
    let identifier: [UInt8]

    init(identifier: [UInt8], state: State = .inUse) {
        self.identifier = identifier
        self.state = state
    }

    /// Whether the key of a class was made: then its absence is a loss, and never a reason to make another one.
    subscript(protection: ProtectionClass) -> Bool {
        get { classes & (1 << protection.rawValue) != 0 }
        set { classes = newValue ? classes | (1 << protection.rawValue) : classes & ~(1 << protection.rawValue) }
    }

    func encoded() -> SecretBytes {
        SecretBytes(copying: [Self.version, state.rawValue, classes] + identifier)
    }

    init(decoding content: borrowing SecretBytes) throws(StorageFailure) {
        let bytes = content.withBytes { bytes in bytes.indices.prefix(20).map { bytes[$0] } }
        guard let version = bytes.first, version > 0 else { throw .damaged(.keyRecord) }
        guard version == Self.version else { throw .newer(version: Int(version)) }
        guard bytes.count == 19, let state = State(rawValue: bytes[1]), bytes[2] & 0b1110_0001 == 0 else {
            throw .damaged(.keyRecord)
        }
        self.state = state
        classes = bytes[2]
        identifier = Array(bytes[3...])
    }
}
