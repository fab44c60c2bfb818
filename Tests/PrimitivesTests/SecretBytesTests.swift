import Foundation
import PavisePrimitives
import Testing

@Suite struct SecretBytesTests {
    @Test func `the bytes that were filled in are the bytes that are lent`() {
        let secret = SecretBytes(count: 4) { span in
            for index in 0..<4 { span[index] = UInt8(index + 1) }
        }
        let lent = secret.withBytes { bytes in Array(bytes) }
        #expect(lent == [1, 2, 3, 4])
    }

    @Test func `equal bytes match, others and other lengths do not`() {
        let one = SecretBytes(utf8: "correct horse")
        let same = one.matches(SecretBytes(utf8: "correct horse"))
        let other = one.matches(SecretBytes(utf8: "correct house"))
        let shorter = one.matches(SecretBytes(utf8: "correct"))
        #expect(same)
        #expect(!other)
        #expect(!shorter)
    }

    @Test func `the memory is zero after the owner is gone`() {
        var address = 0
        do {
            let secret = SecretBytes(count: 64) { span in
                for index in 0..<64 { span[index] = 0xA5 }
            }
            address = secret.withBytes { bytes in
                unsafe bytes.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
            }
        }
        let freed = unsafe UnsafeRawPointer(bitPattern: address)
        // The first 8 bytes of a free block may be the address of the next one.
        let left = (8..<64).map { unsafe freed?.load(fromByteOffset: $0, as: UInt8.self) ?? 1 }
        #expect(left.allSatisfy { $0 == 0 })
    }

    // A sanitizer stops a program that reads what it gave back.
    private static let hasSanitizer = unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

    @Test(.disabled(if: hasSanitizer, "a sanitizer looks after freed memory"), arguments: [false, true])
    func `a lent copy is zero after its use, also after an error`(_ isError: Bool) {
        struct Stop: Error {}
        let secret = SecretBytes(count: 64) { span in
            for index in 0..<64 { span[index] = 0xA5 }
        }
        var address = 0
        var isWhole = false
        var isThrown = false
        do {
            try secret.withCopy { bytes throws(Stop) in
                address = unsafe bytes.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
                isWhole = bytes.count == 64 && bytes.allSatisfy { $0 == 0xA5 }
                if isError { throw Stop() }
            }
        } catch {
            isThrown = true
        }
        let freed = unsafe UnsafeRawPointer(bitPattern: address)
        let left = (0..<64).count { unsafe freed?.load(fromByteOffset: $0, as: UInt8.self) == 0xA5 }
        #expect(left == 0 && isWhole && isThrown == isError)
    }

    @Test func `an error while filling comes out, and nothing else`() {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            _ = try SecretBytes(count: 8) { span throws(Stop) in
                span[0] = 7
                throw Stop()
            }
        }
    }

    @Test func `writing past the end stops the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = SecretBytes(count: 4) { $0[4] = 1 }
        }
    }

    @Test func `random secrets differ`() throws {
        let one = try SecretBytes.random(count: 32)
        let other = try SecretBytes.random(count: 32)
        let same = one.matches(other)
        #expect(!same)
    }

    @Test("RV-M8: a block that comes back is lent again, zero, and no two owners have the same bytes")
    func blocks() {
        for size in [0, 1, 31, 32, 33, 64, 100, 1024, 4095, 4096, 4097, 20_000] {
            let first = SecretBytes(count: size) { span in for index in span.indices { span[index] = 0xA5 } }
            let second = SecretBytes(count: size) { span in for index in span.indices { span[index] = 0x5A } }
            let (isFirst, isSecond) = (first.withBytes(Self.all(0xA5)), second.withBytes(Self.all(0x5A)))
            #expect(isFirst && isSecond && first.count == size)
            _ = consume first
            let third = SecretBytes(count: size) { _ in }
            let (isZero, isStill) = (third.withBytes(Self.all(0)), second.withBytes(Self.all(0x5A)))
            #expect(isZero && isStill)
        }
    }

    private static func all(_ byte: UInt8) -> (Span<UInt8>) -> Bool {
        { span in span.indices.allSatisfy { span[$0] == byte } }
    }

    @Test("RV-M8: many threads make and drop secrets at once, and each keeps its own")
    func threads() async {
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                group.addTask {
                    let mark = UInt8(task + 1)
                    return (0..<5000).allSatisfy { round in
                        let size = 1 + round % 200
                        let secret = SecretBytes(count: size) { span in
                            for index in span.indices { span[index] = mark }
                        }
                        return secret.withBytes(Self.all(mark))
                    }
                }
            }
            for await isWhole in group { #expect(isWhole) }
        }
    }
}
