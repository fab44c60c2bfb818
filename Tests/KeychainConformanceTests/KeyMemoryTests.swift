import Foundation
import KeychainTestSupport
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// What stays in memory of a key that the keychain gives as an object. In a process of its own, where nothing else has
/// the key.
@Suite struct KeyMemoryTests {
    // A sanitizer keeps freed memory on purpose, and its shadow takes hours to search.
    private static let hasSanitizer = unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

    // OpenSSL has the number in its own order of bytes.
    @Test(.long, .disabled(if: hasSanitizer, "a sanitizer keeps freed memory"))
    func `of software keys that a search gives as objects no bytes are left in memory`() async throws {
        let keychain = try ItemFixture()
        var halves: [[UInt8]] = []
        try keychain.run {
            for number in UInt8(0)..<16 {
                let parameters: [String: Any] = [
                    kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits as String: 256,
                    kSecPrivateKeyAttrs as String: [
                        kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: Data([number]),
                    ],
                ]
                let made = SecKeyCreateRandomKey(parameters as CFDictionary, nil)
                let key = try #require(made)
                let shown = SecKeyCopyExternalRepresentation(key, nil)
                let scalar = try #require(shown).copiedBytes.suffix(32)
                // In halves, so that the other process does not have it from its arguments.
                halves += [Array(scalar.prefix(16)), Array(scalar.suffix(16))]
            }
        }
        let path = keychain.environment.home.path
        await #expect(processExitsWith: .exitCode(0)) { [path = path as String, halves = halves as [[UInt8]]] in
            let environment = SecurityEnvironment(home: PaviseHome(path: path), accessGroups: ["one", "two"])
            let keys = SecurityEnvironment.$override.withValue(environment) {
                copy(["class": kSecClassKey, "r_Ref": true, "m_Limit": kSecMatchLimitAll]).result as? [SecKey] ?? []
            }
            guard keys.count == 16 else { exit(3) }
            guard KeyMemory.hits(halves) == 0 else { exit(4) }
            // The search is no blind one.
            let shown = keys.compactMap { SecKeyCopyExternalRepresentation($0, nil) }
            exit(shown.count == 16 && KeyMemory.hits(halves) >= 16 ? 0 : 5)
        }
    }

    @Test(.long, .disabled(if: hasSanitizer, "a sanitizer keeps freed memory"))
    func `of texts that were encrypted to a key no bytes are left in memory but the caller's own`() async {
        let halves = (0..<2).map { _ in (0..<16).map { _ in UInt8.random(in: 1...255) } }
        await #expect(processExitsWith: .exitCode(0)) { [halves = halves as [[UInt8]]] in
            let parameters: [String: Any] = [
                kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits as String: 256,
            ]
            let made = SecKeyCreateRandomKey(parameters as CFDictionary, nil)
            guard let key = made.flatMap(SecKeyCopyPublicKey) else { exit(3) }
            // Of several sizes: what is asked for next may lie over what was given back.
            let texts = (1...8).compactMap { KeyMemory.text(of: halves, count: $0 * 3_200) }
            let algorithm = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM
            let packets = texts.compactMap { SecKeyCreateEncryptedData(key, algorithm, $0, nil) }
            guard packets.count == 8 else { exit(4) }
            for text in texts { text.resetBytes(in: NSRange(location: 0, length: text.length)) }
            guard KeyMemory.hits(halves) == 0 else { exit(5) }
            // The search is no blind one.
            let shown = KeyMemory.text(of: halves, count: 3_200)
            exit(shown != nil && KeyMemory.hits(halves) >= 100 ? 0 : 6)
        }
    }

    // An access group of somebody else is refused before anything is sealed.
    @Test(.long, .disabled(if: hasSanitizer, "a sanitizer keeps freed memory"))
    func `of a value that is refused no bytes are left in memory`() async throws {
        let keychain = try ItemFixture()
        let halves = try [Entropy.kernel.bytes(16), Entropy.kernel.bytes(16)]
        let path = keychain.environment.home.path
        await #expect(processExitsWith: .exitCode(0)) { [path = path as String, halves = halves as [[UInt8]]] in
            let environment = SecurityEnvironment(home: PaviseHome(path: path), accessGroups: ["one", "two"])
            var value = Data(halves[0])
            value.append(contentsOf: halves[1])
            let statuses = SecurityEnvironment.$override.withValue(environment) {
                let name: [String: Any] = ["class": kSecClassGenericPassword, "svce": "mail", "acct": "ada"]
                let change: [String: Any] = [kSecValueData as String: value, "agrp": "three"]
                let update = SecItemUpdate(name as CFDictionary, change as CFDictionary)
                return [SecItemAdd(name.merging(change) { $1 } as CFDictionary, nil), update]
            }
            guard statuses == [errSecMissingEntitlement, errSecMissingEntitlement] else { exit(3) }
            // The search is no blind one.
            guard KeyMemory.hits(halves) > 0 else { exit(5) }
            let count = value.count
            value.resetBytes(in: 0..<count)
            exit(KeyMemory.hits(halves) == 0 ? 0 : 4)
        }
    }
}

/// The writable memory of this process.
private enum KeyMemory {
    /// The two halves, one behind the other, over and over: written in place, so that they are nowhere else.
    static func text(of halves: [[UInt8]], count: Int) -> NSMutableData? {
        guard let text = NSMutableData(length: count) else { return nil }
        for index in 0..<count {
            let byte = halves[index / 16 % 2][index % 16]
            unsafe text.mutableBytes.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
        }
        return text
    }

    /// How often the two halves of a key, 16 bytes each, stand one behind the other; -1 where nobody can say.
    static func hits(_ halves: [[UInt8]]) -> Int {
        let memory = unsafe open("/proc/self/mem", O_RDONLY)
        defer { close(memory) }
        guard memory >= 0, let maps = try? InputFile.read("/proc/self/maps", limit: 1 << 24) else { return -1 }
        var part = [UInt8](repeating: 0, count: 1 << 20)
        var count = 0
        for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            let ends = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
            guard words.count >= 5, words[1].hasPrefix("rw"), words.last?.hasPrefix("/dev/") != true, ends.count == 2
            else { continue }
            // What lies across the edge of a part is whole in one of them.
            for start in stride(from: ends[0], to: ends[1], by: part.count - 31) {
                let size = min(ends[1] - start, part.count)
                let got = unsafe part.withUnsafeMutableBytes { unsafe pread(memory, $0.baseAddress, size, start) }
                // An area that was given back meanwhile holds nothing.
                if got == size { count += hits(in: part, size, halves) }
            }
        }
        for index in part.indices { part[index] = 0 }
        return count
    }

    private static func hits(in part: [UInt8], _ size: Int, _ halves: [[UInt8]]) -> Int {
        // By the first byte: most of memory begins no key.
        var starts = [[Int]](repeating: [], count: 256)
        for key in stride(from: 0, to: halves.count, by: 2) { starts[Int(halves[key][0])].append(key) }
        guard size >= 32 else { return 0 }
        var count = 0
        var index = 0
        while index <= size - 32 {
            defer { index += 1 }
            // Most of memory is empty; a key may begin in the last bytes of such a piece.
            if index % 4_096 == 0, index + 4_096 <= size, isEmpty(part, from: index) {
                index += 4_096 - 32
                continue
            }
            let keys = starts[Int(part[index])]
            guard !keys.isEmpty else { continue }
            count += keys.count { key in
                (0..<16).allSatisfy { part[index + $0] == halves[key][$0] }
                    && (0..<16).allSatisfy { part[index + 16 + $0] == halves[key + 1][$0] }
            }
        }
        return count
    }

    private static let emptiness = [UInt8](repeating: 0, count: 4_096)

    private static func isEmpty(_ part: [UInt8], from start: Int) -> Bool {
        unsafe part.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return false }
            return unsafe memcmp(base + start, emptiness, emptiness.count) == 0
        }
    }
}
