import PaviseAppLock
import PaviseCrypto
import PaviseDevice
import PaviseJWT
import PaviseLog
import PavisePrimitives
import PaviseVault
import SecurityFramework
import Synchronization
import TestSupport
import Testing

/// Orders from afar: signed, taken once, and answered (AL25).
@Suite struct LockOrderTests {
    let fixture: LockFixture
    let pen: OrderPen
    init() throws {
        fixture = try LockFixture()
        pen = try OrderPen()
    }

    private func installation() throws -> String { try fixture.lock().installation().identifier }

    @Test("AL25: an order of the administrator wipes, is answered, and the PIN opens nothing any more")
    func wipe() throws {
        try fixture.run {
            let lock = fixture.lock()
            try lock.set("830597")
            let receipt = try lock.obey(pen.write(installation()), by: pen.rules)
            #expect(receipt.result == .done && receipt.action == .wipe && receipt.order == "order-1")
            #expect(receipt.seconds == OrderPen.start)
            #expect(fixture.ends.withLock { $0 } == [.wipe])
            #expect(lock.state == .unset)
            #expect(lock.fingerprint == nil)
            #expect(fixture.lock().refusal("830597") == .notSet)
            let guards = try fixture.guardCount()
            #expect(guards == 0)
        }
    }

    @Test("AL25: without a PIN, and with a record that nobody can read, a wipe wipes what there is")
    func wipeWithoutPIN() throws {
        try fixture.run {
            let name = try installation()
            _ = try fixture.lock().obey(pen.write(name), by: pen.rules)
            #expect(fixture.ends.withLock { $0 } == [.wipe])
            try fixture.lock().set("830597")
            try AppLockParts.platform(sharesUnlock: false).vault.store([1, 2, 3].span, as: LockFixture.name)
            let receipt = try fixture.lock().obey(pen.write(name) { $0.order = "order-2" }, by: pen.rules)
            #expect(receipt.result == .done)
            #expect(fixture.ends.withLock { $0 } == [.wipe, .wipe])
            #expect(fixture.lock().state == .unset)
        }
    }

    @Test func `PR24: an ordered wipe is in the trail behind its order, also where there is no record`() throws {
        let trail = KeptEvents()
        try fixture.run {
            let name = try installation()
            let lock = fixture.lock { $0.trail = trail }
            _ = try lock.obey(pen.write(name), by: pen.rules)
            #expect(trail.all.map(\.name) == [.orderTaken, .wipeBegun, .wipeDone])
        }
    }

    @Test("AL25: “lock” closes for every process, “signOut” has the product end its sessions and leaves the PIN")
    func lesserOrders() async throws {
        let shared = SharedKeyStore(folder: fixture.folder.path)
        try await fixture.inHome {
            let name = try installation()
            let empty = try fixture.lock().obey(pen.write(name) { $0.action = "lock" }, by: pen.rules)
            #expect(empty.result == .nothingToLock)
            let lock = fixture.lock(place: shared.store)
            try lock.set("830597")
            try await closeElsewhere(lock, named: name, in: shared)
            #expect(fixture.ends.withLock { $0 } == [])
            try lock.open("830597")
            _ = try lock.obey(
                pen.write(name) {
                    $0.action = "signOut"
                    $0.order = "order-3"
                }, by: pen.rules)
            #expect(fixture.ends.withLock { $0 } == [.endSession])
            #expect(!lock.state.isOpen)
            #expect(lock.refusal("830597") == nil)
        }
    }

    @Test(
        "AL25: “lock” takes the key out of the kernel's keyring, for every process of the user",
        .enabled(if: SharedKeyStore.hasKeyring))
    func lockInKeyring() async throws {
        try await fixture.inHome {
            let name = try installation()
            let lock = fixture.lock(place: SharedMemory())
            try lock.set("830597")
            // Nothing of a test stays in the kernel, however it ends.
            defer { lock.lock() }
            try await closeElsewhere(lock, named: name, in: SharedKeyStore(folder: nil))
        }
    }

    /// Lets a process of its own find `lock` open and obey an order to lock, and lets another one look afterwards.
    private func closeElsewhere(_ lock: AppLock, named installation: String, in shared: SharedKeyStore) async throws {
        let key = try #require(lock.fingerprint)
        let order = try pen.write(installation) {
            $0.action = "lock"
            $0.order = "order-2"
        }
        await #expect(processExitsWith: .success) {
            [
                home = fixture.home.path as String, shared = shared as SharedKeyStore, key = key as [UInt8],
                order = order as String, jwk = pen.jwk as String
            ] in
            try ChildLock.run(home) {
                let lock = ChildLock.lock(home, place: shared.store)
                #expect(lock.fingerprint == key)
                let rules = try OrderRules(issuer: OrderPen.issuer, keys: [try JSONWebKey(json: Array(jwk.utf8))])
                #expect(try lock.obey(order, by: rules).result == .done)
                #expect(!lock.state.isOpen)
            }
        }
        #expect(lock.fingerprint == nil)
        #expect(lock.state == .locked(.keyGone))
        await #expect(processExitsWith: .success) {
            [home = fixture.home.path as String, shared = shared as SharedKeyStore] in
            ChildLock.run(home) {
                let lock = ChildLock.lock(home, place: shared.store)
                #expect(!lock.state.isOpen)
                #expect(lock.fingerprint == nil)
            }
        }
    }

    @Test("AL25: an order that is given again is refused, also after the wipe and by another process")
    func replay() throws {
        try fixture.run {
            let order = try pen.write(installation())
            let receipt = try fixture.lock().obey(order, by: pen.rules)
            try fixture.lock().set("830597")
            for _ in 0..<2 {
                #expect(orderFailure { try fixture.lock().obey(order, by: pen.rules) } == .replayed(receipt))
            }
            // Another token with the same name is the same order.
            let again = try pen.write(installation()) { $0.expires += 60 }
            #expect(orderFailure { try fixture.lock().obey(again, by: pen.rules) } == .replayed(receipt))
            #expect(fixture.ends.withLock { $0 } == [.wipe])
            #expect(fixture.lock().refusal("830597") == nil)
        }
    }

    @Test("AL25: neither a clock nor a crowd of other orders lets an old one in again")
    func floor() throws {
        try fixture.run {
            let name = try installation()
            func write(_ number: Int) throws -> String {
                try pen.write(name) {
                    $0.order = .string("order-\(number)")
                    $0.action = "lock"
                    $0.issued += Int64(number)
                    $0.expires = OrderPen.start + OrderRules.longestLife
                }
            }
            let first = try write(0)
            let lock = fixture.lock()
            for number in 0...OrderLedger.most { _ = try lock.obey(write(number), by: pen.rules) }
            #expect(try lock.receipts().count == OrderLedger.most)
            #expect(orderFailure { try lock.obey(first, by: pen.rules) } == .outdated)
            // One that was issued in the same second and never came is lost with it; a later one is not.
            let late = try pen.write(name) {
                $0.order = "late"
                $0.action = "lock"
            }
            #expect(orderFailure { try lock.obey(late, by: pen.rules) } == .outdated)
            fixture.time.setWall(seconds: OrderPen.start + 10 * OrderRules.longestLife)
            #expect(orderFailure { try lock.obey(write(3), by: pen.rules) } == .token(.expired))
            fixture.time.setWall(seconds: OrderPen.start)
            guard case .replayed = orderFailure({ try lock.obey(write(3), by: pen.rules) }) else {
                Issue.record("a clock that went there and back let an order in")
                return
            }
        }
    }

    @Test("AL25: what is not the administrator's order for this installation and for now is refused, and does nothing")
    func refusals() throws {
        let stranger = try OrderPen()
        try fixture.run {
            let lock = fixture.lock()
            try lock.set("830597")
            let name = try installation()
            let good = try pen.write(name)
            let parts = good.split(separator: ".").map(String.init)
            func changed(_ change: (inout OrderPen.Words) -> Void) throws -> String { try pen.write(name, change) }
            let rows: [(String, OrderFailure)] = [
                (try stranger.write(name), .token(.signature)),
                (try changed { $0.key = "2029" }, .token(.noSuchKey)),
                (try changed { $0.key = nil }, .token(.noSuchKey)),
                (try changed { $0.algorithm = "none" }, .token(.algorithm)),
                (parts[0] + "." + parts[1] + ".", .token(.signature)),
                (pen.forge(name), .token(.algorithm)),
                (try changed { $0.algorithm = "RS256" }, .token(.algorithm)),
                (try changed { $0.more = ["exp"] }, .token(.criticalHeader)),
                (try changed { $0.type = "JWT" }, .token(.type)),
                (try changed { $0.issuer = "https://other.example.org" }, .token(.issuer)),
                (try changed { $0.audience = "https://cloud.example.org" }, .token(.audience)),
                (try changed { $0.expires = OrderPen.start - 60 }, .token(.expired)),
                (try changed { $0.issued = OrderPen.start + 301 }, .token(.notYetValid)),
                (try changed { $0.expires = OrderPen.start + OrderRules.longestLife + 1 }, .lifetime),
                (try changed { $0.expires = $0.issued }, .lifetime),
                (try changed { $0.issued = .min }, .lifetime),
                (try changed { $0.order = nil }, .content("jti")),
                (try changed { $0.order = "" }, .content("jti")),
                (try changed { $0.order = 7 }, .content("jti")),
                (try changed { $0.order = "a\nb" }, .content("jti")),
                (try changed { $0.order = .string(String(repeating: "x", count: 129)) }, .content("jti")),
                (try changed { $0.action = nil }, .content("action")),
                (try changed { $0.action = "Wipe" }, .content("action")),
                (try changed { $0.action = ["wipe"] }, .content("action")),
                (
                    parts[0] + "." + parts[1] + "." + Base64URL.encode([UInt8](repeating: 1, count: 64)),
                    .token(.signature)
                ),
                (parts[0] + "." + parts[1], .token(.malformed)), ("", .token(.malformed)),
                (good + ".x", .token(.malformed)), (" " + good, .token(.malformed)),
                (
                    try changed { $0.issuer = String(repeating: "x", count: OrderRules.limit) },
                    .token(.tooLong(limit: OrderRules.limit))
                ),
            ]
            for (order, refusal) in rows {
                #expect(orderFailure { try lock.obey(order, by: pen.rules) } == refusal, "\(order)")
            }
            #expect(try lock.receipts().isEmpty)
            #expect(lock.state.isOpen)
            #expect(fixture.ends.withLock { $0 } == [])
            // The table is sound: the order that all of them were made from is obeyed.
            #expect(try lock.obey(good, by: pen.rules).result == .done)
        }
    }

    @Test(
        "AL25: an order needs an installation; without its ledger, or with another device's, it is another one"
    )
    func otherInstallation() throws {
        try fixture.run {
            #expect(orderFailure { try fixture.lock().obey(pen.write("x"), by: pen.rules) } == .token(.audience))
            let name = try installation()
            #expect(try installation() == name)
            let order = try pen.write(name)
            _ = try fixture.lock().obey(order, by: pen.rules)
            let item = ItemName(checkedService: "org.pavise.applock", "orders")
            let change: [() throws -> Void] = [
                { try AppLockParts.platform(sharesUnlock: false).orders?.vault.erase(item) },
                { try EnclaveKey(tag: "org.pavise.key.applock.orders").destroy() },
                { try DurableFile.remove(fixture.home.path + "/installation") },
                {
                    try AppLockParts.platform(sharesUnlock: false, home: fixture.home).orders?.vault
                        .store([0, 9].span, as: item)
                },
            ]
            for (number, lose) in change.enumerated() {
                try lose()
                let refusal = orderFailure { try fixture.lock().obey(order, by: pen.rules) }
                #expect(
                    refusal == .token(.audience) || refusal == .unreadable(.corrupt)
                        || refusal == .unreadable(.missing),
                    "\(number)")
                let next = try installation()
                #expect(next != name, "\(number)")
                #expect(orderFailure { try fixture.lock().obey(order, by: pen.rules) } == .token(.audience))
            }
            #expect(fixture.ends.withLock { $0 } == [.wipe])
        }
    }

    @Test(
        "RV-M7: a ledger of orders that is gone or cannot be read closes, and makes no new installation beside a lock",
        arguments: [0, 1, 2])
    func lostLedger(_ way: Int) throws {
        try fixture.run {
            try fixture.lock().set("830597")
            _ = try installation()
            let item = ItemName(checkedService: "org.pavise.applock", "orders")
            switch way {
            case 0: try KeychainStore().delete(item)
            case 1: try EnclaveKey(tag: "org.pavise.key.applock.orders").destroy()
            default: try KeychainStore().replace([9, 9].span, as: item)
            }
            #expect(fixture.lock().state == .locked(.unreadable(.orders)))
            #expect(fixture.lock().refusal("830597") == .unreadable(.orders))
            #expect(orderFailure { try installation() } == .unreadable(way == 0 ? .missing : .corrupt))
        }
    }

    @Test("AL25: a receipt is signed by the installation's key, names the order and what became of it")
    func receipt() throws {
        try fixture.run {
            let lock = fixture.lock()
            let installation = try lock.installation()
            let receipt = try lock.obey(pen.write(installation.identifier), by: pen.rules)
            // After the wipe, in a new process.
            let sent = try #require(try fixture.lock().receipts().first)
            #expect(sent == receipt)
            let text = try fixture.lock().acknowledgement(of: sent)
            let key = try JSONWebKey(json: Array(installation.key.utf8))
            let token = try CompactToken(text).verified(by: key)
            #expect(token.type == OrderRules.receiptType && token.keyIdentifier == installation.identifier)
            let claims = try #require(token.claims)
            #expect(claims.string("iss") == installation.identifier && claims.string("jti") == "order-1")
            #expect(claims.string("action") == "wipe" && claims.string("result") == "done")
            #expect(claims.integer("iat") == OrderPen.start)
        }
    }

    @Test("AL25: Ed25519 signs orders as well; a shared secret, RSA and keys without names make no rules")
    func keys() throws {
        let pair = try Curve25519PrivateKey(generating: .signing)
        let jwk = #"{"kty":"OKP","crv":"Ed25519","kid":"ed","x":"\#(Base64URL.encode(pair.publicKey.raw))"}"#
        let rules = try OrderRules(issuer: OrderPen.issuer, keys: [try JSONWebKey(json: Array(jwk.utf8))])
        try fixture.run {
            var words = OrderPen.Words(for: try installation())
            (words.algorithm, words.key, words.action) = ("EdDSA", "ed", "lock")
            let signature = try pair.sign(message: Array(words.input.utf8))
            let order = words.input + "." + Base64URL.encode(signature)
            #expect(try fixture.lock().obey(order, by: rules).result == .nothingToLock)
        }
        func problem(_ keys: [JSONWebKey], issuer: String = OrderPen.issuer) -> OrderRules.Problem? {
            do throws(OrderRules.Problem) {
                _ = try OrderRules(issuer: issuer, keys: keys)
                return nil
            } catch {
                return error
            }
        }
        let key = try JSONWebKey(json: Array(pen.jwk.utf8))
        let secret = try JSONWebKey(secret: [UInt8](repeating: 7, count: 32), algorithm: .hs256, identifier: "s")
        let unnamed = try JSONWebKey(json: Array(jwk.replacing(#""kid":"ed","#, with: "").utf8))
        #expect(problem([]) == .empty && problem([key], issuer: "") == .empty)
        #expect(problem([secret]) == .algorithm)
        #expect(problem([unnamed]) == .unnamedKey)
        #expect(problem([key, key]) == .duplicateName)
    }

    @Test("AL25: what fails is begun and not done, opens nothing meanwhile, and is gone on with at the next start")
    func interrupted() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            let order = try pen.write(installation())
            let lock = fixture.lock()
            try lock.open("830597")
            fixture.trouble.withLock { $0 = SystemFailure(operation: "wipe", path: "x", code: 28) }
            guard case .notFinished = orderFailure({ try lock.obey(order, by: pen.rules) }) else {
                Issue.record("said to be done")
                return
            }
            for lock in [lock, fixture.lock()] {
                #expect(lock.state == .ended(.wipe))
                #expect(lock.refusal("830597") == .ended(.wipe))
                #expect(lock.fingerprint == nil)
                #expect(try lock.receipts().map(\.result) == [.begun])
            }
            fixture.trouble.withLock { $0 = nil }
            let next = fixture.lock()
            #expect(next.state == .unset)
            #expect(try next.receipts().map(\.result) == [.done])
        }
    }

    @Test("AL25: what fails without a PIN closes the lock all the same")
    func interruptedWithoutPIN() throws {
        try fixture.run {
            let order = try pen.write(installation())
            fixture.trouble.withLock { $0 = SystemFailure(operation: "wipe", path: "x", code: 28) }
            guard case .notFinished = orderFailure({ try fixture.lock().obey(order, by: pen.rules) }) else {
                Issue.record("said to be done")
                return
            }
            #expect(fixture.lock().state == .ended(.wipe))
            #expect(failure { try fixture.lock().set("830597") } != nil)
            fixture.trouble.withLock { $0 = nil }
            #expect(fixture.lock().state == .unset)
        }
    }

    @Test("AL25: a disk that takes no write begins nothing")
    func fullDisk() throws {
        try fixture.run {
            let order = try pen.write(installation())
            let lock = fixture.lock { parts in
                let vault = TokenVault(
                    store: FullStore(), key: EnclaveKey(tag: "org.pavise.key.applock.orders"))
                parts.orders?.vault = vault.bound(to: InstallationBinding(folder: fixture.home.path))
            }
            guard case .notWritten = orderFailure({ try lock.obey(order, by: pen.rules) }) else {
                Issue.record("begun")
                return
            }
            #expect(fixture.ends.withLock { $0 } == [])
            #expect(try fixture.lock().obey(order, by: pen.rules).result == .done)
        }
    }

    @Test("AL25: a locked keychain keeps the order for later, and a lock without a place for orders obeys none")
    func unreadable() throws {
        let order = try fixture.run { try pen.write(installation()) }
        var environment = fixture.environment()
        environment.lock = LockSwitch(.beforeFirstUnlock)
        SecurityEnvironment.$override.withValue(environment) {
            #expect(orderFailure { try fixture.lock().obey(order, by: pen.rules) } == .unreadable(.storeLocked))
        }
        fixture.run {
            let lock = fixture.lock { $0.orders = nil }
            #expect(orderFailure { try lock.obey(order, by: pen.rules) } == .unavailable)
            #expect(orderFailure { try lock.installation() } == .unavailable)
        }
    }

    @Test("each cut or changed ledger is no ledger or another one, and nothing traps")
    func damaged() throws {
        try fixture.run {
            let name = try installation()
            _ = try fixture.lock().obey(pen.write(name) { $0.action = "lock" }, by: pen.rules)
            let item = ItemName(checkedService: "org.pavise.applock", "orders")
            let place = AppLockParts.platform(sharesUnlock: false, home: fixture.home).orders
            guard case .found(let secret)? = try place?.vault.read(item) else { throw OrderFailure.unavailable }
            let bytes = secret.withBytes { span in Array(span) }
            #expect(OrderLedger(bytes)?.encoded == bytes)
            for count in 0..<bytes.count { #expect(OrderLedger(Array(bytes.prefix(count))) == nil) }
            for index in bytes.indices {
                var changed = bytes
                changed[index] ^= 0x41
                if let ledger = OrderLedger(changed) { #expect(ledger.encoded == changed) }
            }
            // The same order a second time: its name would have two results.
            let read = try #require(OrderLedger(bytes))
            var empty = OrderLedger(identity: read.identity, created: read.created).encoded
            let entry = bytes.dropFirst(empty.count)
            empty[empty.count - 1] = 1
            #expect(empty + entry == bytes)
            empty[empty.count - 1] = 2
            #expect(OrderLedger(empty + entry + entry) == nil)
        }
    }
}
