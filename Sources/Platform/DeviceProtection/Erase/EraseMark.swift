internal import PavisePrimitives

/// The mark that an erase of the device has begun: `PVER`, version 1, and the identity of the keybag (16 bytes).
///
/// Nothing is erased on the word of a file that could not be opened and read, or that names another device.
struct EraseMark: Hashable, Sendable {
    /// Which device is erased; `nil` in a mark of the first format, a single byte 1, which named none: it counts only
    /// where the device cannot be opened any more.
    let identity: [UInt8]?

    private static let magic = Array("PVER".utf8) + [1]
    private static let firstFormat: [UInt8] = [1]

    /// The mark of a device.
    init(identity: [UInt8]) { self.identity = identity }

    private init?(_ bytes: [UInt8]) {
        if bytes == Self.firstFormat {
            identity = nil
        } else {
            guard bytes.count == Self.magic.count + 16, bytes.starts(with: Self.magic) else { return nil }
            identity = Array(bytes.dropFirst(Self.magic.count))
        }
    }

    private var encoded: [UInt8] { identity.map { Self.magic + $0 } ?? Self.firstFormat }

    static func path(_ home: PaviseHome) -> String { home.device + "/erasing" }

    /// The mark in `home`; `nil` when it is certain that there is none.
    ///
    /// - Throws: The reason when nobody can say, and ``DeviceFailure/foreignMark(file:)`` for a file that is no mark.
    static func read(_ home: PaviseHome) throws(DeviceFailure) -> EraseMark? {
        let found: [UInt8]?
        do throws(SystemFailure) { found = try DurableFile.mark(path(home)).get() } catch {
            // One that is longer than any mark is none.
            throw error.isTooLarge ? .foreignMark(file: path(home)) : .system(error)
        }
        guard let found else { return nil }
        guard let mark = EraseMark(found) else { throw .foreignMark(file: path(home)) }
        return mark
    }

    /// Stores the mark; when this returns, it is on the disk.
    func write(_ home: PaviseHome) throws(DeviceFailure) {
        try DeviceFailure.reporting { try DurableFile.write(encoded.span, to: Self.path(home)) }
    }

    /// Whether this mark means the device of a keybag.
    func means(_ identity: [UInt8]) -> Bool { self.identity == nil || self.identity == identity }
}
