import Foundation
import KeychainTestSupport
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// Damage to the files themselves, as a failing disk or a curious person does it.
@Suite struct ItemFileDamageTests {
    let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    /// A copy of the keychain, opened for the first time.
    private func copied(_ name: String) throws -> SecurityEnvironment {
        let home = PaviseHome(path: keychain.folder.path + "/" + name)
        try FileManager.default.copyItem(atPath: keychain.environment.home.path, toPath: home.path)
        var environment = keychain.environment
        environment.home = home
        return environment
    }

    private func flip(_ bit: Int, of path: String) throws {
        var bytes = try DurableFile.read(path, limit: 1 << 26)
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seek(toOffset: UInt64(bit / 8))
        try handle.write(contentsOf: Data([bytes[bit / 8]]))
        try handle.close()
    }

    @Test(arguments: ["items.db", "items.db-wal"])
    func `a flipped bit of a file never gives a wrong value and never hides an item`(_ file: String) throws {
        keychain.run { for number in 0..<5 { add(password("\(number)"), "secret \(number)") } }
        var generator = SystemRandomNumberGenerator()
        for round in 0..<30 {
            let environment = try copied("copy \(file) \(round)")
            let path = environment.home.keychain + "/" + file
            let count = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
            try #require(count > 0, "there is nothing to damage")
            let bit = Int.random(in: 0..<count * 8, using: &generator)
            try flip(bit, of: path)
            SecurityEnvironment.$override.withValue(environment) {
                for number in 0..<5 {
                    let found = copy(password("\(number)"), ["r_Data": true])
                    let text = (found.result as? Data).map { String(decoding: $0, as: UTF8.self) }
                    #expect(text == nil || text == "secret \(number)", "bit \(bit)")
                    #expect(
                        [errSecSuccess, errSecNotAvailable, errSecDecode].contains(found.status),
                        "bit \(bit), item \(number): \(found.status)")
                }
            }
        }
    }

    // Emptied, within the identifier that each key hangs on, between the two records of the head, and at its last byte.
    @Test(arguments: [0, 47, 1000, 2559])
    func `a file that was cut says so, and is neither mended nor begun anew`(_ size: Int) throws {
        keychain.run { for number in 0..<5 { add(password("\(number)"), "secret \(number)") } }
        let environment = try copied("cut")
        let path = environment.home.keychain + "/items.db"
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.truncate(atOffset: UInt64(size))
        try handle.close()
        SecurityEnvironment.$override.withValue(environment) {
            #expect(copy(password("1"), ["r_Data": true]).status == errSecNotAvailable)
            #expect(add(password("new")) == errSecNotAvailable)
            #expect(KeychainDiagnostics.report(environment.home).failure?.isEmpty == false)
        }
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == size)
    }

    @Test func `a folder that cannot be used is an error and not an empty keychain`() throws {
        var environment = keychain.environment
        let file = keychain.folder.path + "/file"
        let nothing: [UInt8] = []
        try DurableFile.write(nothing.span, to: file)
        environment.home = PaviseHome(path: file + "/home")
        SecurityEnvironment.$override.withValue(environment) {
            #expect(copy(password()).status == errSecNotAvailable)
            #expect(add(password()) == errSecNotAvailable)
            #expect(KeychainDiagnostics.lastFailure(environment.home) != nil)
        }
    }
}
