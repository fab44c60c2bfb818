import Dispatch
import Foundation
import KeychainTestSupport
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// Runs `body` in a keychain at `path`; for children, which get nothing but the path.
private func inKeychain(_ path: String, _ body: () -> Void) {
    let environment = SecurityEnvironment(home: PaviseHome(path: path), accessGroups: ["one", "two"])
    SecurityEnvironment.$override.withValue(environment) { body() }
}

/// Adds a line to a file in one write, which the kernel keeps whole.
private func note(_ line: String, in file: String) {
    guard let descriptor = try? FileDescriptor.open(file, O_WRONLY | O_CREAT | O_APPEND) else { return }
    let bytes = Array((line + "\n").utf8)
    try? descriptor.write(bytes.span)
}

@Suite struct ItemConcurrencyTests {
    let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    private var path: String { keychain.environment.home.path }
    private var notes: String { keychain.folder.path + "/notes" }

    private func noted() throws -> [String] {
        let bytes = try DurableFile.readIfPresent(notes, limit: 1 << 20) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `KC68 of several processes that add one item, one succeeds`() async throws {
        await withTaskGroup { group in
            for number in 0..<6 {
                group.addTask { [path, notes] in
                    await #expect(processExitsWith: .success) {
                        [path = path as String, notes = notes as String, number = number as Int] in
                        inKeychain(path) { note("\(number) \(add(password(), "\(number)"))", in: notes) }
                    }
                }
            }
        }
        let statuses = try noted().map { $0.split(separator: " ") }
        #expect(statuses.count == 6)
        let winners = statuses.filter { $0.last == "0" }
        #expect(winners.count == 1)
        #expect(statuses.filter { $0.last == "-25299" }.count == 5)
        keychain.run { #expect(value(password()) == winners.first?.first.map(String.init)) }
    }

    @Test func `KC69 two processes that change different attributes lose nothing`() async throws {
        keychain.run { add(password()) }
        await withTaskGroup { group in
            for code in ["labl", "icmt"] {
                group.addTask { [path] in
                    await #expect(processExitsWith: .success) { [path = path as String, code = code as String] in
                        inKeychain(path) {
                            for number in 1...15 where update(password(), [code: "\(number)"]) != errSecSuccess {
                                exit(9)
                            }
                        }
                    }
                }
            }
        }
        keychain.run {
            let found = attributes(password())
            #expect(found["labl"] as? String == "15")
            #expect(found["icmt"] as? String == "15")
            #expect(value(password()) == "secret")
        }
    }

    @Test func `KC70 a kill at any moment leaves the old item or the new one`() async throws {
        keychain.run { add(password(), "0") }
        for _ in 0..<8 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, notes = notes as String] in
                let delay = UInt32.random(in: 20_000...120_000)
                Thread.detachNewThread {
                    usleep(delay)
                    kill(getpid(), SIGKILL)
                }
                inKeychain(path) {
                    var number = Int(value(password()) ?? "-1") ?? -1
                    while number >= 0 {
                        number += 1
                        guard update(password(), ["v_Data": Data("\(number)".utf8)]) == errSecSuccess else { exit(9) }
                        note("\(number)", in: notes)
                    }
                }
            }
            let acknowledged = try noted().last.flatMap { Int($0) } ?? 0
            try keychain.run {
                let stored = try #require(value(password()).flatMap { Int($0) })
                #expect(stored == acknowledged || stored == acknowledged + 1)
            }
        }
    }

    @Test func `KC71 many tasks that mix all calls get sensible answers only`() async {
        let expected: Set<OSStatus> = [errSecSuccess, errSecDuplicateItem, errSecItemNotFound]
        await SecurityEnvironment.$override.withValue(keychain.environment) {
            await withTaskGroup { group in
                for task in 0..<8 {
                    group.addTask {
                        for step in 0..<40 {
                            let query = password("account \((task + step) % 5)")
                            let statuses = [
                                add(query), copy(query, ["r_Data": true]).status, update(query, ["labl": "\(step)"]),
                                step % 3 == 0 ? delete(query) : errSecSuccess,
                            ]
                            #expect(expected.isSuperset(of: statuses))
                        }
                    }
                }
            }
        }
    }

    @Test(.long) func `KC71 a thousand threads that mix all calls`() {
        let expected: Set<OSStatus> = [errSecSuccess, errSecDuplicateItem, errSecItemNotFound]
        let environment = keychain.environment
        let wrong = Mutex<[OSStatus]>([])
        let group = DispatchGroup()
        for number in 0..<1000 {
            group.enter()
            let thread = Thread {
                SecurityEnvironment.$override.withValue(environment) {
                    let query = password("account \(number % 50)")
                    let statuses = [
                        add(query), copy(query, ["r_Data": true]).status, update(query, ["crtr": number]),
                        number % 3 == 0 ? delete(query) : errSecSuccess,
                    ]
                    wrong.withLock { $0 += statuses.filter { !expected.contains($0) } }
                }
                group.leave()
            }
            thread.stackSize = 1 << 19
            thread.start()
        }
        group.wait()
        #expect(wrong.withLock { $0 } == [])
        keychain.run {
            let report = KeychainDiagnostics.report(environment.home)
            #expect(report.damaged.isEmpty)
            #expect(report.intact == count(["class": "genp"]))
        }
    }

    @Test(.long) func `KC71 threads that begin together in a new home agree on its keys`() throws {
        let threads = 8
        for _ in 0..<25 {
            let fresh = try ItemFixture()
            let environment = fresh.environment
            let (ready, done) = (DispatchGroup(), DispatchGroup())
            ready.enter()
            for number in 0..<threads {
                done.enter()
                Thread.detachNewThread {
                    ready.wait()
                    SecurityEnvironment.$override.withValue(environment) { _ = add(password("account \(number)")) }
                    done.leave()
                }
            }
            ready.leave()
            done.wait()
            try fresh.run {
                let report = KeychainDiagnostics.report(environment.home)
                try #require(report.damaged.isEmpty && report.intact == threads)
            }
        }
    }

    @Test func `KC72 a reader never sees half of a change`() async {
        await SecurityEnvironment.$override.withValue(keychain.environment) {
            add(password("anna", "mail", ["labl": "0"]), "0")
            await withTaskGroup { group in
                group.addTask {
                    for number in 1...60 {
                        let change: [String: Any] = ["labl": "\(number)", "v_Data": Data("\(number)".utf8)]
                        #expect(update(password(), change) == errSecSuccess)
                    }
                }
                for _ in 0..<3 {
                    group.addTask {
                        for _ in 0..<100 {
                            let found =
                                copy(password(), ["r_Data": true, "r_Attributes": true]).result as? [String: Any]
                            let data = (found?["v_Data"] as? Data).map { String(decoding: $0, as: UTF8.self) }
                            #expect(data != nil)
                            #expect(found?["labl"] as? String == data)
                        }
                    }
                }
            }
            #expect(value(password()) == "60")
        }
    }

    @Test func `no file of the home holds a name, a group or a secret in clear`() throws {
        let canary = "canary-\(UInt64.random(in: .min ... .max))"
        try keychain.run {
            add(password(canary, canary, ["labl": canary, "gena": Data(canary.utf8)]), canary)
            #expect(value(password(canary, canary)) == canary)
            let files = try FileManager.default.subpathsOfDirectory(atPath: path)
            #expect(files.contains("keychain/items.db"))
            for file in files {
                let bytes = FileManager.default.contents(atPath: path + "/" + file) ?? Data()
                #expect(bytes.range(of: Data(canary.utf8)) == nil, "\(file)")
            }
        }
    }
}
