internal import PaviseCrypto
internal import PavisePrimitives

/// The class keys of a device, each wrapped by its element, and all of it authenticated as a whole.
///
/// The bytes: `PVKB`, version 1, a random identifier (16), the number of entries, per entry class and wrapped key
/// (40 bytes, RFC 3394), then HMAC-SHA256 over everything before it. There is no entry for class 12 while no passcode
/// exists. A class key is never in a file in clear.
package struct Keybag: Hashable, Sendable {
    /// Names this bag; a new bag is a new device.
    package let identity: [UInt8]
    private let entries: [KeyClass: [UInt8]]

    private static let magic = Array("PVKB".utf8) + [1]

    /// Makes fresh keys for all classes that exist without a passcode.
    package static func create(with element: some SecureElement) throws(DeviceFailure) -> Keybag {
        let identity = try DeviceFailure.reporting { try Entropy.kernel.bytes(16) }
        var entries: [KeyClass: [UInt8]] = [:]
        for keyClass in KeyClass.allCases where keyClass != .whenPasscodeSetThisDeviceOnly {
            let key = try DeviceFailure.reporting { try SecretBytes.random(count: 32) }
            entries[keyClass] = try element.wrap(key, purpose: purpose(keyClass, identity))
        }
        return Keybag(identity: identity, entries: entries)
    }

    private init(identity: [UInt8], entries: [KeyClass: [UInt8]]) {
        self.identity = identity
        self.entries = entries
    }

    /// Reads a bag and checks that this element made it, unaltered.
    package init(_ bytes: [UInt8], with element: some SecureElement, file: String) throws(DeviceFailure) {
        guard bytes.count > 32, bytes.count < 4096 else { throw .damaged(file: file) }
        let body = Array(bytes.dropLast(32))
        let tag = Array(bytes.suffix(32))
        let expected = try Self.tag(of: body, with: element)
        guard ConstantTime.equal(expected.span, tag.span) else { throw .damaged(file: file) }
        do throws(ByteReader.Truncated) {
            self = try Self.parse(body)
        } catch {
            throw .damaged(file: file)
        }
    }

    private static func parse(_ body: [UInt8]) throws(ByteReader.Truncated) -> Keybag {
        var reader = ByteReader(body)
        guard try reader.read(magic.count) == magic else { throw ByteReader.Truncated() }
        let identity = try reader.read(16)
        var entries: [KeyClass: [UInt8]] = [:]
        for _ in 0..<(try reader.integer(UInt8.self)) {
            guard let keyClass = KeyClass(rawValue: try reader.integer()) else { throw ByteReader.Truncated() }
            entries[keyClass] = try reader.read(40)
        }
        guard reader.isAtEnd else { throw ByteReader.Truncated() }
        return Keybag(identity: identity, entries: entries)
    }

    /// The bytes to store.
    package func encoded(with element: some SecureElement) throws(DeviceFailure) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw(Self.magic + identity)
        writer.integer(UInt8(entries.count))
        for (keyClass, wrapped) in entries.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            writer.integer(keyClass.rawValue)
            writer.raw(wrapped)
        }
        return try writer.bytes + Self.tag(of: writer.bytes, with: element)
    }

    /// Whether the class has a key at all; class 12 has none without a passcode.
    package func has(_ keyClass: KeyClass) -> Bool { entries[keyClass] != nil }

    /// The class's key, ready for use, or `nil` when the class has none.
    func key(_ keyClass: KeyClass, with element: some SecureElement) throws(DeviceFailure) -> ClassKey? {
        guard let wrapped = entries[keyClass] else { return nil }
        return try ClassKey(element.unwrap(wrapped, purpose: Self.purpose(keyClass, identity)))
    }

    private static func purpose(_ keyClass: KeyClass, _ identity: [UInt8]) -> String {
        "class \(keyClass.rawValue) of \(Hex.encode(identity))"
    }

    private static func tag(of body: [UInt8], with element: some SecureElement) throws(DeviceFailure) -> [UInt8] {
        try element.derivedKey(purpose: "keybag").withBytes { HMAC.sha256(key: $0, body) }
    }
}
