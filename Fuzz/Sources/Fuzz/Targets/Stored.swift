internal import Foundation
internal import PaviseDatabase
internal import PavisePrimitives
internal import PaviseTransport

@testable internal import PaviseCrypto
@testable internal import PaviseDevice
@testable internal import PaviseStorage
@testable internal import SecurityFramework

extension FuzzTarget {
    /// What is read back from the disk, where another program may have written.
    static let stored = [
        database, keybag, attempts, pinentry, guardedSecret, accessControl, itemHeader, itemHalves, descriptor,
        eciesPacket,
    ]

    // A database of two rows. Whatever is changed: the rows, or an error, never another value and never a row less.
    private static let database = FuzzTarget(
        "database", seeds: { [try Kept.database.get()] },
        run: { bytes in
            guard let folder = try? Kept.folder.get() else { return }
            let path = "\(folder)/changed.db"
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            guard (try? Data(bytes).write(to: URL(fileURLWithPath: path))) != nil else { return }
            guard let database = try? Kept.open(path, readOnly: false) else { return }
            defer { database.close() }
            guard let rows = try? database.rows("SELECT name, value FROM item ORDER BY name") else { return }
            require(
                bytes.isEmpty || rows.map(\.values) == Kept.rows,
                "a changed file gives other rows: \(rows.map(\.values))")
        })

    private static let keybag = FuzzTarget(
        "keybag",
        seeds: { [try Kept.keybag.get(), try Kept.guardedKeybag.get()] },
        run: { bytes in
            guard let keeper = try? Kept.keeper.get(), let head = Keybag.Head(bytes) else { return }
            _ = try? KeybagWrapper.of(head, in: Kept.folder.get(), with: keeper.element)
            if let bag = try? Keybag(bytes, with: keeper, file: "keybag") {
                require((try? bag.encoded(with: keeper)) == bytes, "a keybag that nobody wrote")
            }
            // The same behind a right tag, as its own element would write it.
            let body = Array(bytes.dropLast(32))
            guard head.epoch == keeper.epoch, let tag = try? keeper.tag(of: body) else { return }
            guard let bag = try? Keybag(body + tag, with: keeper, file: "keybag") else { return }
            guard let again = try? bag.encoded(with: keeper) else { return require(false, "a keybag without bytes") }
            require((try? Keybag(again, with: keeper, file: "keybag")) == bag, "a keybag has two readings")
        })

    private static let attempts = FuzzTarget(
        "attempts", seeds: { [Attempts().encoded, Kept.attempts.encoded] },
        run: { bytes in
            guard let attempts = Attempts(bytes) else { return }
            require(attempts.encoded == bytes, "attempts have two forms")
            for policy in [ThrottlePolicy(), ThrottlePolicy(.strict, erasesAtLimit: true)] {
                _ = attempts.gate(policy, at: Kept.moment)
                let next = attempts.counting(policy, at: Kept.moment)
                require(next.failures >= attempts.failures, "a failure less")
            }
        })

    private static let pinentry = FuzzTarget(
        "pinentry-line",
        seeds: { ["OK Pleased", "D a%25b%0a", "ERR 83886179 cancelled", "S KEEPALIVE"].map { Array($0.utf8) } },
        run: { bytes in
            guard case .data(let data) = PinentryLine(bytes) else { return }
            require(data.count <= bytes.count, "more than was said")
        })

    private static let guardedSecret = FuzzTarget(
        "guarded-secret", seeds: { [[1, 1] + [UInt8](repeating: 7, count: 80), [1, 2] + (try Kept.packet.get())] },
        run: { bytes in
            guard let opened = try? GuardedSecret.open(bytes, of: Kept.item.identifier, with: .current) else { return }
            if case .plain = opened { require(false, "opened without a proof") }
        })

    private static let accessControl = FuzzTarget(
        "access-control",
        seeds: {
            [SecAccessControl(protection: "ak", flags: .userPresence), SecAccessControl(protection: "akpu", flags: [])]
                .compactMap { $0?.storedForm } + [[UInt8](repeating: 0, count: 8) + Array("ak".utf8)]
        },
        run: { bytes in
            guard let control = SecAccessControl(storedForm: bytes) else { return }
            require(SecAccessControl(storedForm: control.storedForm) == control, "a control has two readings")
        })

    private static let itemHeader = FuzzTarget(
        "item-header",
        seeds: {
            [1, 2].map { (version: UInt8) in
                [version] + [UInt8](repeating: 3, count: 16) + [1, 7, 0, 0] + [UInt8](repeating: 0, count: 60)
            }
        },
        run: { bytes in
            guard let header = ItemHeader(bytes) else { return }
            require(ItemHeader(header.encoded) == header, "a header does not read its own bytes")
            _ = header.has([UInt8](repeating: 0, count: 16))
        })

    // The first byte chooses the half.
    private static let itemHalves = FuzzTarget(
        "item-halves",
        seeds: {
            let item = Kept.item
            return [[0] + item.encodedAttributes, [1] + item.encodedSecret]
        },
        run: { bytes in
            var item = Kept.item
            item.attributes = [:]
            let rest = Array(bytes.dropFirst())
            if bytes.first == 0 {
                guard (try? item.readAttributes(rest)) != nil else { return }
                var again = item
                require(
                    (try? again.readAttributes(item.encodedAttributes)) != nil, "attributes do not read their own bytes"
                )
            } else {
                guard (try? item.readSecret(rest)) != nil else { return }
                var again = item
                require((try? again.readSecret(item.encodedSecret)) != nil, "a secret does not read its own bytes")
            }
        })

    private static let descriptor = FuzzTarget(
        "descriptor",
        seeds: {
            guard let id = Kept.connection, let pin = Pin(Base64.encode([UInt8](repeating: 1, count: 32))) else {
                return []
            }
            return try ["https://cloud.example", "https://[::1]:8443", "https://cloud.example."].map { text in
                let description = ConnectionDescriptor(
                    id: id, name: "work", origin: try WebURL(text + "/").origin, method: .oauth,
                    issuer: "https://id.example",
                    clientID: "c", scopes: ["openid"], pins: [pin], created: 1_790_000_000)
                return try description.encoded()
            }
        },
        run: { bytes in
            guard let id = Kept.connection, let read = try? ConnectionDescriptor(decoding: bytes, for: id) else {
                return
            }
            require(
                (try? ConnectionDescriptor(decoding: read.encoded(), for: id)) == read, "a description has two readings"
            )
            let policy = read.trustPolicy
            require(
                read.pins.isEmpty || !policy.pins.isEmpty || policy.anchors == .only([]),
                "pins of \(read.origin) were dropped")
        })

    private static let eciesPacket = FuzzTarget(
        "ecies-packet", seeds: { [try Kept.packet.get()] },
        run: { bytes in
            guard let key = try? Kept.key.get(), let packet = try? ECIES.Packet(bytes, curve: .p256) else { return }
            guard let secret = try? key.sharedSecret(with: packet.ephemeral) else { return }
            guard (try? ECIES.open(packet, secret: secret, Kept.options)) != nil else { return }
            require(bytes == (try? Kept.packet.get()), "a packet that nobody sealed")
        })
}

/// What the targets start from, made once in a process.
private enum Kept {
    static let rows: [[DatabaseValue]] = [
        [.text("first"), .blob([UInt8](repeating: 1, count: 300))], [.text("second"), .blob([2])],
    ]
    static let folder = Result {
        let path = FileManager.default.temporaryDirectory.path + "/kept"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
    static let element = Result { try SoftwareElement.open(try folder.get(), mayCreate: true) }
    static let keeper = Result {
        try KeybagWrapper.begin(
            in: try folder.get(), identity: [UInt8](repeating: 4, count: 16), with: try element.get())
    }
    static let keybag = Result {
        let keeper = try Kept.keeper.get()
        return try Keybag.create(.software, identity: keeper.identity, with: keeper).encoded(with: keeper)
    }
    static let guardedKeybag = Result {
        let keeper = try Kept.keeper.get()
        let bag = try Keybag.create(.software, identity: keeper.identity, with: keeper)
        let passcode: [UInt8] = [1, 2, 3, 4]
        let made = try PasscodeRecord.make(
            passcode.span, cost: Argon2Cost(kibibytes: 8, passes: 1), policy: ThrottlePolicy(),
            identity: keeper.identity,
            with: keeper.element)
        let contents = try bag.contents(nil, hasPasscodeNext: true, with: keeper)
        return try Keybag.make(
            contents, .software, keeper.identity, made.record, made.key, retiring: [9, 9], with: keeper
        ).encoded(with: keeper)
    }
    static let moment = ClockReading(ManualTime().source)
    static let attempts = Attempts.unknown(ThrottlePolicy(), at: moment)
    static let key = Result { try ECPrivateKey(generating: .p256) }
    static let options = ECIES.Options(hash: .sha256, derivesNonce: true)
    static let packet = Result { try ECIES.seal([1, 2, 3].span, to: key.get().publicKey, options) }
    static let connection = ConnectionID("00000000-0000-4000-8000-000000000000")
    static let item = Item(
        identifier: [UInt8](repeating: 3, count: 16), itemClass: .genericPassword, group: "g", isSynchronizable: false,
        generation: 1, attributes: [:], data: [1, 2, 3], accessControl: nil)

    static let database: Result<[UInt8], any Error> = Result {
        let path = try folder.get() + "/good.db"
        let database = try open(path, readOnly: false)
        try database.run("CREATE TABLE item(name TEXT, value BLOB)")
        for row in rows { try database.run("INSERT INTO item VALUES(?1, ?2)", row) }
        database.close()
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    static func open(_ path: String, readOnly: Bool) throws -> Database {
        try Database.open(path, key: SecretBytes(copying: [UInt8](repeating: 5, count: 32).span), readOnly: readOnly)
    }
}
