import Pavise
import PaviseAppLock
import PaviseCommands
import PaviseDevice
import PavisePrimitives
import PaviseStorage
import PaviseTransport
import PaviseVault
import Testing

/// `pavise lock`, and what `connect` and `fetch` make of it.
@Suite struct LockCommandsTests {
    let stage: LockStage
    init() throws { stage = try LockStage() }

    @Test func `a PIN is typed twice, and from then on a lock closes connect and fetch`() async throws {
        #expect(await stage.connect() == .done)
        #expect(await stage.status("state")?.string == "unset")
        let set = await stage.run("lock", "set", typing: ["830597", "830597"])
        #expect(set.status == .done)
        #expect(set.output.hasPrefix("The PIN is set."))
        #expect(await stage.run("fetch", "/files").output == "files")
        #expect(await stage.run("lock", "now").status == .done)
        let requests = stage.server.requests.count
        for words in [["fetch", "/files"], ["connect", "https://other.example", "--basic", "ada"]] {
            let refused = await stage.runWords(words)
            #expect(refused.status == .locked)
            #expect(refused.messages.contains("“pavise lock unlock” asks for the PIN. Nothing was sent."))
        }
        #expect(stage.server.requests.count == requests)
        #expect(await stage.run("lock", "unlock", typing: ["830597"]).status == .done)
        stage.server.willAnswer(HTTPResponse(status: 200, fields: HTTPFields(), body: Array("again".utf8)))
        #expect(await stage.run("fetch", "/files").output == "again")
    }

    @Test("RV-H4: the state of a lock that nobody set makes no device")
    func emptyHome() async throws {
        #expect(await stage.status("state")?.string == "unset")
        #expect(await stage.run("lock", "status").status == .done)
        #expect(!DurableFile.exists(stage.home.device) && !DurableFile.exists(stage.home.keychain))
    }

    @Test func `what a connection keeps is in the lock's box while a PIN is set, and out of it afterwards`()
        async throws
    {
        #expect(await stage.connect() == .done)
        #expect(try await isBoxed() == false)
        _ = await stage.run("lock", "set", "--pin-stdin", input: ["830597"])
        #expect(try await isBoxed() == true)
        let removed = await stage.run("lock", "remove", "--pin-stdin", input: ["830597"])
        #expect(removed.status == .done)
        #expect(try await isBoxed() == false)
        #expect(await stage.run("fetch", "/files").output == "files")
        #expect(await stage.run("lock", "remove", "--pin-stdin", input: ["830597"]).status == .failed)
    }

    @Test func `a damaged connection does not keep the others out of the lock's box, nor in it`() async throws {
        #expect(await stage.connect("broken") == .done)
        let broken = try #require(try Connections(home: stage.home).identifiers().first)
        #expect(await stage.connect() == .done)
        let folder = "\(stage.home.connections)/\(broken)"
        try Folder.remove(folder)
        try DurableFile.write([1].span, to: folder)
        for word in ["set", "remove"] {
            let done = await stage.run("lock", word, "--pin-stdin", "--json", input: ["830597"])
            #expect(done.status == .done)
            #expect(done.json?["damaged"]?.array == [.string(broken.text)])
            #expect(try await isBoxed() == (word == "set"))
        }
    }

    private func isBoxed() async throws -> Bool? {
        try await stage.inHome {
            let id = try #require(try Connections(home: stage.home).list().first?.id)
            guard case .found(let packet) = try KeychainStore().read(.password(of: id)) else { return nil }
            return packet.withBytes { LockedKey.isBoxed($0) }
        }
    }

    @Test func `an administrator asks for a PIN and for its length`() async throws {
        try stage.manage(#"{ "appLock": { "required": true, "minimumDigits": 6 } }"#)
        let refused = await stage.run("connect", "https://cloud.example", "--basic", "ada")
        #expect(refused.status == .refused)
        #expect(refused.messages.contains("The administrator asks for a PIN."))
        #expect(stage.server.requests.isEmpty)
        #expect(await stage.run("lock", "set", "--pin-stdin", input: ["8305"]).status != .done)
        #expect(await stage.run("lock", "set", "--pin-stdin", input: ["830597"]).status == .done)
        #expect(await stage.connect() == .done)
        #expect(await stage.run("lock", "remove", "--pin-stdin", input: ["830597"]).status == .refused)
    }

    @Test func `wrong PINs end with 5, wait, and are told after the next right one`() async throws {
        _ = await stage.run("lock", "set", "--pin-stdin", input: ["830597"])
        _ = await stage.run("lock", "now")
        let asked = await stage.run("lock", "unlock", typing: ["940271", "940272", "940273"])
        #expect(asked.status == .locked)
        #expect(
            asked.messages.contains(
                "The PIN is wrong. 7 tries are left; then what is stored here can never be read again"))
        #expect(await stage.run("lock", "unlock", "--pin-stdin", input: ["940274"]).status == .locked)
        let waiting = await stage.run("lock", "unlock", "--pin-stdin", input: ["830597"])
        #expect(waiting.status == .locked)
        #expect(waiting.messages == "There were too many wrong tries. Try again in 30 s; this one was not looked at.\n")
        #expect(await stage.status("waitSeconds")?.integer == 30)
        #expect(await stage.status("wrongInARow")?.integer == 4)
        stage.time.advance(seconds: 30)
        let right = await stage.run("lock", "unlock", "--pin-stdin", "--json", input: ["830597"])
        #expect(right.status == .done)
        #expect(right.json?["wrongBefore"]?.integer == 4)
    }

    @Test func `the tenth wrong PIN wipes every connection before it is said, with 4`() async throws {
        #expect(await stage.connect() == .done)
        _ = await stage.run("lock", "set", "--pin-stdin", input: ["830597"])
        for number in 0..<9 {
            #expect(await stage.run("lock", "unlock", "--pin-stdin", input: ["94027\(number)"]).status == .locked)
            stage.time.advance(seconds: 14_400)
        }
        let last = await stage.run("lock", "unlock", "--pin-stdin", input: ["555123"])
        #expect(last.status == .signInNeeded)
        #expect(last.messages.contains("made unreadable for good"))
        #expect(await stage.run("connections").output.contains("There are no connections."))
        #expect(await stage.run("fetch", "/files").status == .signInNeeded)
        #expect(await stage.status("state")?.string == "unset")
    }

    @Test func `the tenth wrong PIN gives up what waits to be revoked as well`() async throws {
        #expect(await stage.connect() == .done)
        let queue = TokenVault(
            store: KeychainStore(), key: EnclaveKey(tag: "org.pavise.key.\(ConnectionID.revocations)"))
        try await stage.inHome {
            try queue.prepare()
            try queue.store(Array("what waits".utf8).span, as: .revocations)
        }
        _ = await stage.run("lock", "set", "--pin-stdin", input: ["830597"])
        for number in 0..<10 {
            _ = await stage.run("lock", "unlock", "--pin-stdin", input: ["94027\(number)"])
            stage.time.advance(seconds: 14_400)
        }
        let isGone = try await stage.inHome {
            guard case .absent = try KeychainStore().read(.revocations) else { return false }
            return true
        }
        #expect(isGone)
    }

    @Test func `the tenth wrong PIN wipes what it can where one connection cannot be removed`() async throws {
        #expect(await stage.connect() == .done)
        _ = await stage.run("lock", "set", "--pin-stdin", input: ["830597"])
        let id = try #require(try Connections(home: stage.home).identifiers().first)
        // A description that nobody can read, and before it in the list a file where a folder should be.
        try DurableFile.write([1, 2, 3].span, to: "\(stage.home.connections)/\(id)/connection.json")
        let stray = stage.home.connections + "/00000000-0000-4000-8000-000000000000"
        try DurableFile.write([1].span, to: stray)
        #expect(try Connections(home: stage.home).identifiers().last == id)
        for number in 0..<10 {
            _ = await stage.run("lock", "unlock", "--pin-stdin", input: ["94027\(number)"])
            stage.time.advance(seconds: 14_400)
        }
        #expect(await stage.status("state")?.string == "ended")
        #expect(try Connections(home: stage.home).identifiers().contains(id) == false)
        let isGone = try await stage.inHome {
            guard case .absent = try KeychainStore().read(.password(of: id)) else { return false }
            return true
        }
        #expect(isGone)
        // What was in the way goes, and the next start ends the wipe.
        try DurableFile.remove(stray)
        _ = await stage.status("state")
        #expect(await stage.status("state")?.string == "unset")
    }

    @Test func `a change wants the old PIN first, and weak ones are not taken`() async throws {
        _ = await stage.run("lock", "set", "--pin-stdin", input: ["830597"])
        let wrong = await stage.run("lock", "change", "--pin-stdin", input: ["940271", "940276"])
        #expect(wrong.status == .locked)
        let weak = await stage.run("lock", "change", "--pin-stdin", input: ["830597", "123456"])
        #expect(weak.status == .usage)
        #expect(weak.messages.contains("The digits of this PIN stand in their order."))
        let changed = await stage.run("lock", "change", typing: ["830597", "940276", "940276"])
        #expect(changed.status == .done)
        #expect(await stage.run("lock", "unlock", "--pin-stdin", input: ["830597"]).status == .locked)
        #expect(await stage.run("lock", "unlock", "--pin-stdin", input: ["940276"]).status == .done)
        #expect(await stage.run("lock", "change", "--pin-stdin", input: ["940276"]).status == .usage)
    }

    @Test(arguments: [true, false])
    func `CL13: a change that comes to nothing leaves the lock as it was`(_ isOpen: Bool) async throws {
        _ = await stage.run("lock", "set", "--pin-stdin", input: ["830597"])
        if !isOpen { _ = await stage.run("lock", "now") }
        let differing = ["830597", "940276", "561938", "940276", "561938", "940276", "561938"]
        let failed = await stage.run("lock", "change", typing: differing)
        #expect(failed.status == .failed && failed.messages == "The two were different. Nothing was changed.\n")
        #expect(await stage.status("state")?.string == (isOpen ? "unlocked" : "locked"))
    }

    @Test func `a passphrase is asked for by its name, typed twice, and opens`() async throws {
        #expect(await stage.connect() == .done)
        let set = await stage.run("lock", "set", "--passphrase", typing: ["teapot case 8", "teapot case 8"])
        #expect(set.status == .done && set.output.hasPrefix("The passphrase is set."))
        #expect(stage.asker.questions.map(\.label) == ["New passphrase", "New passphrase"])
        #expect(await stage.status("code")?.string == "passphrase")
        _ = await stage.run("lock", "now")
        let closed = await stage.run("fetch", "/files")
        #expect(closed.messages.contains("“pavise lock unlock” asks for the passphrase."))
        let wrong = await stage.run("lock", "unlock", "--pin-stdin", input: ["teapot case 9"])
        #expect(wrong.status == .locked && wrong.messages == "The passphrase is wrong.\n")
        #expect(await stage.run("lock", "unlock", typing: ["teapot case 8"]).status == .done)
        #expect(stage.asker.questions.last?.label == "Passphrase")
        #expect(await stage.run("lock", "change", "--pin", "--passphrase").status == .usage)
        let same = await stage.run("lock", "change", "--pin-stdin", input: ["teapot case 8", "kettle case 9"])
        #expect(same.output.hasPrefix("The passphrase is changed."))
        let digits = await stage.run("lock", "change", "--pin", "--pin-stdin", input: ["kettle case 9", "830597"])
        #expect(digits.output.hasPrefix("The PIN is changed."))
        #expect(await stage.run("lock", "remove", "--pin-stdin", input: ["830597"]).status == .done)
    }

    @Test func `an administrator who wants a passphrase has every PIN replaced before the next connection`()
        async throws
    {
        #expect(await stage.connect() == .done)
        _ = await stage.run("lock", "set", "--pin-stdin", input: ["830597"])
        try stage.manage(#"{ "appLock": { "required": true, "passphrase": "required", "minimumCharacters": 10 } }"#)
        let refused = await stage.run("fetch", "/files")
        #expect(refused.status == .refused)
        #expect(refused.messages.contains("The rules want a passphrase now."))
        #expect(await stage.status("mustReplace")?.bool == true)
        let unlocked = await stage.run("lock", "unlock", "--pin-stdin", input: ["830597"])
        #expect(unlocked.status == .done && unlocked.output.contains("Choose another one: “pavise lock change”."))
        #expect(await stage.run("lock", "change", "--pin-stdin", input: ["830597", "teapot 8"]).status == .usage)
        #expect(await stage.run("lock", "change", "--pin-stdin", input: ["830597", "teapot case 8"]).status == .done)
        #expect(await stage.run("fetch", "/files").output == "files")
        let back = await stage.run("lock", "change", "--pin", "--pin-stdin", input: ["teapot case 8", "940276"])
        #expect(back.status == .usage && back.messages.contains("The rules want a passphrase."))
    }

    @Test func `four hours without a command lock, and looking is no use`() async throws {
        _ = await stage.run("lock", "set", "--pin-stdin", input: ["830597"])
        stage.time.advance(seconds: 2 * 3600)
        #expect(await stage.status("secondsLeft")?.integer == 2 * 3600)
        stage.time.advance(seconds: 2 * 3600)
        #expect(await stage.status("state")?.string == "locked")
        #expect(await stage.run("fetch", "/files").status == .locked)
    }

    @Test func `without a PIN there is nothing to lock, unlock, change or remove, and with one it is not set again`()
        async throws
    {
        for word in ["unlock", "now", "change", "remove"] {
            let result = await stage.run("lock", word, input: ["830597", "940276"])
            #expect(result.status == .failed, "\(word)")
        }
        _ = await stage.run("lock", "set", typing: ["830597", "940276", "830597", "940276", "830597", "940276"])
        #expect(await stage.status("state")?.string == "unset")
        _ = await stage.run("lock", "set", "--pin-stdin", input: ["830597"])
        #expect(await stage.run("lock", "set", "--pin-stdin", input: ["940276"]).status == .failed)
        #expect(await stage.run("lock", "set", "830597").status == .usage)
    }

    @Test func `the status says every figure and who chose it`() async throws {
        let figures = try #require(await stage.status("figures")?.array)
        #expect(figures.count == 11)
        #expect(figures.allSatisfy { $0["source"]?.string == "default" })
        let text = await stage.run("lock", "status").output
        #expect(!text.contains("second factor"))
        #expect(text.contains("neither PIN nor passphrase is set: nothing is locked"))
        #expect(text.contains("30 s, 1 min, 5 min, 15 min, 1 h, 4 h"))
    }
}
