internal import PaviseCrypto
internal import PavisePrimitives

/// The mark that an erase of the device has begun: `PVER`, version 2, the identity of the keybag (16 bytes), and
/// HMAC-SHA-256 of all that by a key of the element (32 bytes).
///
/// Nothing is erased on the word of a file that could not be opened and read, or that names another device. One that
/// the element did not write counts only where its secret is gone, and then for the files alone: whoever may write to a
/// home can remove those, but not what a TPM keeps, with which a backup of them opens.
struct EraseMark: Hashable, Sendable {
    /// Which device is erased; `nil` in a mark of the first format, a single byte 1, which named none.
    let identity: [UInt8]?
    // Empty in version 1, which had none, and where the element was gone already.
    private let tag: [UInt8]

    private static let identityCount = 16
    private static let unauthenticated = Array("PVER".utf8) + [1]
    private static let magic = Array("PVER".utf8) + [2]
    private static let firstFormat: [UInt8] = [1]

    /// The mark of a device, by its element. One whose secret is gone authenticates nothing, and needs not to.
    ///
    /// - Throws: Where the element does not answer; then nothing was begun.
    init(identity: [UInt8], by element: any SecureElement) throws(DeviceFailure) {
        self.identity = identity
        tag = try Self.tagUnlessGone(identity, element)
    }

    private init?(_ bytes: [UInt8]) {
        if bytes == Self.firstFormat {
            (identity, tag) = (nil, [])
            return
        }
        let rest = Array(bytes.dropFirst(Self.magic.count))
        if bytes.starts(with: Self.unauthenticated), rest.count == Self.identityCount {
            (identity, tag) = (rest, [])
            return
        }
        guard bytes.starts(with: Self.magic), rest.count == Self.identityCount + 32 else { return nil }
        (identity, tag) = (Array(rest.prefix(Self.identityCount)), Array(rest.dropFirst(Self.identityCount)))
    }

    private var encoded: [UInt8] {
        guard let identity else { return Self.firstFormat }
        return tag.isEmpty ? Self.unauthenticated + identity : Self.magic + identity + tag
    }

    private static func tagUnlessGone(
        _ identity: [UInt8], _ element: any SecureElement
    ) throws(DeviceFailure) -> [UInt8] {
        do throws(DeviceFailure) { return try tag(of: identity, by: element) } catch {
            guard error.isOfLostSecret else { throw error }
            return []
        }
    }

    private static func tag(of identity: [UInt8], by element: any SecureElement) throws(DeviceFailure) -> [UInt8] {
        let content = magic + identity
        return try element.derivedKey(purpose: "erase mark").withBytes { HMAC.sha256(key: $0, content) }
    }

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

    /// Whether `element` wrote this mark. It is asked in any case: one whose secret is gone says so.
    func isWritten(by element: any SecureElement) throws(DeviceFailure) -> Bool {
        let expected = try Self.tag(of: identity ?? [], by: element)
        return ConstantTime.equal(expected.span, tag.span)
    }

    /// Whether this mark means the device of a keybag.
    func means(_ identity: [UInt8]) -> Bool { self.identity == nil || self.identity == identity }
}

extension DeviceFailure {
    /// Whether the element's secret is gone for good, and with it all that it protected.
    var isOfLostSecret: Bool {
        switch self {
        case .damaged, .unknownKey: true
        case .hardware(let failure): failure.kind == .erased
        default: false
        }
    }
}
