package import PavisePrimitives

/// What is stored of an app lock, in one sealed item, so that the count of tries and the wrapped key are authenticated
/// together (app-lock AL15). No PIN, and nothing that a PIN could be compared with.
package struct LockRecord: Hashable, Sendable {
    /// How far a final action is.
    package enum Ending: Hashable, Sendable {
        case none
        case begun(AppLockPolicy.FinalAction)
        case done(AppLockPolicy.FinalAction)
    }

    /// Names this lock, 16 random bytes; other bytes with each first PIN.
    package let identity: [UInt8]
    /// What has to be typed.
    package var kind = LockCode.pin
    /// How it is stretched, and the element's guard.
    package var code: [UInt8]
    /// The lock's key in a box that the PIN and the element open.
    package var wrapped: [UInt8]
    /// An empty box under the lock's key: tells whether a key is the lock's.
    package let check: [UInt8]
    /// Wrong PINs in a row, and the delay that runs.
    package var attempts: Attempts
    /// The code before the last change, until the element has destroyed its guard.
    package var retiring: [UInt8] = []
    /// How far a final action is.
    package var ending = Ending.none
    /// When it was unlocked and used last, for the processes that find its key.
    package var use: AppLockMachine.Use?
    /// The number of this record, one more with each write; 0 from before there were numbers. See ``LockMark``.
    package var generation: UInt64 = 0

    package init(identity: [UInt8], code: [UInt8], wrapped: [UInt8], check: [UInt8], attempts: Attempts = Attempts()) {
        self.identity = identity
        self.code = code
        self.wrapped = wrapped
        self.check = check
        self.attempts = attempts
    }

    /// What the wrapping of the key is bound to.
    package var label: [UInt8] { Array("pavise app lock ".utf8) + identity }
}

extension LockRecord {
    // The first byte. Records from before there were passphrases are those of a PIN; a numbered one has 16 more.
    private static let versions: [LockCode: UInt8] = [.pin: 1, .passphrase: 2]
    private static let numbered: UInt8 = 16

    /// Whether these bytes, of a record that was opened, are of a later version.
    static func isNewer(_ bytes: [UInt8]) -> Bool {
        guard let form = bytes.first, form > 0 else { return false }
        return !versions.values.contains(form & ~numbered)
    }

    private static let longestCode = 4096

    /// The bytes to seal.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        let version = (Self.versions[kind] ?? 0) | (generation > 0 ? Self.numbered : 0)
        writer.raw([version, ending.number, use == nil ? 0 : 1])
        if generation > 0 { writer.integer(generation) }
        for block in [identity, code, wrapped, check, retiring, attempts.encoded] { writer.block(block) }
        for reading in [use?.since, use?.last].compactMap(\.self) {
            writer.integer(reading.wall)
            writer.integer(reading.continuous)
            writer.block(Array(reading.boot.utf8))
        }
        return writer.bytes
    }

    /// Reads what ``encoded`` gave; `nil` for anything else.
    package init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        do throws(ByteReader.Truncated) {
            let version = try reader.integer(UInt8.self)
            guard let kind = Self.versions.first(where: { $0.value == version & ~Self.numbered })?.key,
                let ending = Ending(try reader.integer())
            else { return nil }
            let isUsed = try reader.integer(UInt8.self)
            if version & Self.numbered != 0 { generation = try reader.integer() }
            // A number that no lock reaches would end in an overflow.
            guard version & Self.numbered == 0 || (1...1 << 60).contains(generation) else { return nil }
            identity = try reader.block(limit: 16)
            code = try reader.block(limit: Self.longestCode)
            wrapped = try reader.block(limit: 128)
            check = try reader.block(limit: 128)
            retiring = try reader.block(limit: Self.longestCode)
            guard let known = Attempts(try reader.block(limit: 512)) else { return nil }
            attempts = known
            self.ending = ending
            self.kind = kind
            if isUsed == 1 {
                use = AppLockMachine.Use(since: try Self.reading(&reader), last: try Self.reading(&reader))
            }
            guard isUsed <= 1, reader.isAtEnd, identity.count == 16 else { return nil }
        } catch {
            return nil
        }
    }

    private static func reading(_ reader: inout ByteReader) throws(ByteReader.Truncated) -> ClockReading {
        let wall: Int64 = try reader.integer()
        let continuous: Int64 = try reader.integer()
        guard let boot = String(validating: try reader.block(limit: 256), as: UTF8.self) else {
            throw ByteReader.Truncated()
        }
        return ClockReading(wall: wall, continuous: continuous, boot: boot)
    }
}

extension LockRecord.Ending {
    fileprivate var number: UInt8 {
        switch self {
        case .none: 0
        case .begun(.endSession): 1
        case .begun(.wipe): 2
        case .done(.endSession): 3
        case .done(.wipe): 4
        }
    }

    fileprivate init?(_ number: UInt8) {
        switch number {
        case 0: self = .none
        case 1: self = .begun(.endSession)
        case 2: self = .begun(.wipe)
        case 3: self = .done(.endSession)
        case 4: self = .done(.wipe)
        default: return nil
        }
    }
}
