internal import PaviseCrypto
internal import PavisePrimitives

// `PVKB`, version, then:
// version 1: identity (16), number of entries, per entry class and wrapped key (40);
// version 2: identity (16), epoch (16), kind of element, unfinished, retired guard, passcode, pairs, entries.
// Both end with HMAC-SHA256 of the element over everything before. What is read before the tag is checked chooses only
// which element and which salt check it.
extension Keybag {
    /// The longest file that is a keybag, in bytes.
    package static let limit = 16_384
    private static let magic = Array("PVKB".utf8)
    /// The newest format.
    private static let newest: UInt8 = 2
    private static let longestKey = 1024

    /// The same as ``Head/init(_:)``, with the reason why the bytes say nothing.
    ///
    /// - Throws: ``DeviceFailure/newer(file:)`` for a bag of a later format, which nobody here can authenticate:
    ///   nothing is opened and nothing replaced; ``DeviceFailure/damaged(file:)`` for anything else.
    package static func head(_ bytes: [UInt8], file: String) throws(DeviceFailure) -> Head {
        if let head = Head(bytes) { return head }
        let isBag = (64...limit).contains(bytes.count) && bytes.starts(with: magic)
        guard isBag, bytes[magic.count] > newest else { throw .damaged(file: file) }
        throw .newer(file: file)
    }

    /// What must be known to check a bag: who made it, and under which salt.
    package struct Head: Hashable, Sendable {
        /// Names the epoch; empty in the first format.
        let epoch: [UInt8]
        /// The kind of the element.
        package let element: ElementKind
        let identity: [UInt8]

        /// Reads the first bytes; `nil` when they are of no keybag. Nothing in them is authenticated yet.
        package init?(_ bytes: [UInt8]) {
            guard (64...Keybag.limit).contains(bytes.count) else { return nil }
            var reader = ByteReader(Array(bytes.prefix(64)))
            do throws(ByteReader.Truncated) {
                guard try reader.read(4) == Keybag.magic else { return nil }
                let version: UInt8 = try reader.integer()
                identity = try reader.read(16)
                epoch = version == 1 ? [] : try reader.read(16)
                guard version == 1 || version == 2,
                    let kind = version == 1 ? .software : ElementKind(rawValue: try reader.integer())
                else { return nil }
                element = kind
            } catch {
                return nil
            }
        }
    }

    /// Reads a bag and checks that this keeper's element made it in this epoch, unaltered.
    ///
    /// - Throws: ``DeviceFailure/damaged(file:)`` for anything else.
    package init(_ bytes: [UInt8], with keeper: KeybagWrapper, file: String) throws(DeviceFailure) {
        guard let head = Head(bytes), head.epoch == keeper.epoch else { throw .damaged(file: file) }
        let body = Array(bytes.dropLast(32))
        let tag = Array(bytes.suffix(32))
        let expected = try keeper.tag(of: body)
        guard ConstantTime.equal(expected.span, tag.span) else { throw .damaged(file: file) }
        do throws(ByteReader.Truncated) {
            self = try Self.parse(body, head)
        } catch {
            throw .damaged(file: file)
        }
    }

    /// The bytes to store.
    package func encoded(with keeper: KeybagWrapper) throws(DeviceFailure) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw(Self.magic)
        if epoch.isEmpty {
            writer.raw([1] + identity + [UInt8(entries.count)])
            for (keyClass, key) in sortedEntries { writer.raw([keyClass.rawValue] + key.bytes) }
        } else {
            writer.raw([2] + identity + epoch + [element.rawValue, isUnfinished ? 1 : 0])
            writer.block(retiredGuard)
            passcode.write(to: &writer)
            writer.raw([UInt8(pairs.count)])
            for (kind, pair) in pairs.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                writer.raw([kind.rawValue])
                writer.block(pair.publicKey)
                pair.privateKey.write(to: &writer)
            }
            writer.raw([UInt8(entries.count)])
            for (keyClass, key) in sortedEntries {
                writer.raw([keyClass.rawValue])
                key.write(to: &writer)
            }
        }
        return try writer.bytes + keeper.tag(of: writer.bytes)
    }

    private var sortedEntries: [(key: KeyClass, value: WrappedKey)] {
        entries.sorted { $0.key.rawValue < $1.key.rawValue }
    }

    private static func parse(_ body: [UInt8], _ head: Head) throws(ByteReader.Truncated) -> Keybag {
        var reader = ByteReader(body)
        _ = try reader.read(head.epoch.isEmpty ? 21 : 38)
        guard !head.epoch.isEmpty else { return try parseFirst(&reader, head) }
        let isUnfinished = try reader.flag()
        let retired = try reader.block(limit: longestGuard)
        let passcode = try PasscodeRecord.read(&reader)
        var pairs: [PairKind: WrappedPair] = [:]
        for _ in 0..<(try reader.integer(UInt8.self)) {
            guard let kind = PairKind(rawValue: try reader.integer()) else { throw ByteReader.Truncated() }
            let publicKey = try reader.block(limit: 256)
            pairs[kind] = WrappedPair(publicKey: publicKey, privateKey: try .read(&reader, limit: longestKey))
        }
        var entries: [KeyClass: WrappedKey] = [:]
        for _ in 0..<(try reader.integer(UInt8.self)) {
            guard let keyClass = KeyClass(rawValue: try reader.integer()) else { throw ByteReader.Truncated() }
            entries[keyClass] = try .read(&reader, limit: longestKey)
        }
        guard reader.isAtEnd else { throw ByteReader.Truncated() }
        return Keybag(
            identity: head.identity, epoch: head.epoch, element: head.element, passcode: passcode, pairs: pairs,
            entries: entries, isUnfinished: isUnfinished, retiredGuard: retired)
    }

    private static func parseFirst(_ reader: inout ByteReader, _ head: Head) throws(ByteReader.Truncated) -> Keybag {
        var entries: [KeyClass: WrappedKey] = [:]
        for _ in 0..<(try reader.integer(UInt8.self)) {
            guard let keyClass = KeyClass(rawValue: try reader.integer()) else { throw ByteReader.Truncated() }
            entries[keyClass] = WrappedKey(method: .element, bytes: try reader.read(40))
        }
        guard reader.isAtEnd else { throw ByteReader.Truncated() }
        return Keybag(
            identity: head.identity, epoch: [], element: .software, passcode: nil, pairs: [:], entries: entries,
            isUnfinished: false, retiredGuard: [])
    }
}

extension WrappedKey {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.raw([method.rawValue])
        writer.block(bytes)
    }

    fileprivate static func read(
        _ reader: inout ByteReader, limit: Int
    ) throws(ByteReader.Truncated) -> WrappedKey {
        guard let method = WrapMethod(rawValue: try reader.integer()) else { throw ByteReader.Truncated() }
        return WrappedKey(method: method, bytes: try reader.block(limit: limit))
    }
}

extension ByteReader {
    fileprivate mutating func flag() throws(Truncated) -> Bool {
        switch try integer(UInt8.self) {
        case 0: return false
        case 1: return true
        default: throw Truncated()
        }
    }
}

extension PasscodeRecord? {
    fileprivate func write(to writer: inout ByteWriter) {
        guard let record = self else { return writer.raw([0]) }
        writer.raw([1] + record.salt)
        writer.integer(record.cost.kibibytes)
        writer.integer(record.cost.passes)
        writer.raw([record.policy.preset.rawValue, record.policy.erasesAtLimit ? 1 : 0])
        writer.block(record.guardBlob)
    }
}

extension PasscodeRecord {
    fileprivate static func read(_ reader: inout ByteReader) throws(ByteReader.Truncated) -> PasscodeRecord? {
        guard try reader.flag() else { return nil }
        let salt = try reader.read(16)
        let cost = Argon2Cost(kibibytes: try reader.integer(), passes: try reader.integer())
        guard cost.isSensible, let preset = ThrottlePolicy.Preset(rawValue: try reader.integer()) else {
            throw ByteReader.Truncated()
        }
        let erases = try reader.flag()
        let blob = try reader.block(limit: longestGuard)
        return PasscodeRecord(
            salt: salt, cost: cost, guardBlob: blob, policy: ThrottlePolicy(preset, erasesAtLimit: erases))
    }
}
