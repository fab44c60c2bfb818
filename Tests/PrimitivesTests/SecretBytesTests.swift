import PavisePrimitives
import Testing

@Suite struct SecretBytesTests {
    @Test func `the bytes that were filled in are the bytes that are lent`() {
        let secret = SecretBytes(count: 4) { span in
            for index in 0..<4 { span[index] = UInt8(index + 1) }
        }
        let lent = secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
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
        // Large enough for a mapping of its own would hide it: small blocks stay readable in the allocator's free list.
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
        // The allocator may use the first 16 bytes of a free block for its own list.
        let left = (16..<64).map { unsafe freed?.load(fromByteOffset: $0, as: UInt8.self) ?? 0 }
        #expect(left.allSatisfy { $0 != 0xA5 })
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
}
