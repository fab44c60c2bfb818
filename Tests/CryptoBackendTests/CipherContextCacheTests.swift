import Dispatch
import PavisePrimitives
import Synchronization
import Testing

@testable import PaviseCrypto

@Suite struct CipherContextCacheTests {
    private let nonce = [UInt8](repeating: 4, count: 12)
    private let plain = (0..<100).map { UInt8($0) }

    private func key(_ byte: UInt8) -> SecretBytes {
        let bytes = [UInt8](repeating: byte, count: 32)
        return SecretBytes(copying: bytes.span)
    }

    private func bytes(_ secret: borrowing SecretBytes) -> [UInt8] {
        secret.withBytes { bytes in Array(bytes) }
    }

    @Test func `what is sealed once is what a cipher with that key seals`() throws {
        for byte: UInt8 in [1, 2, 1, 3] {
            let key = key(byte)
            let once = try AESGCM.sealOnce(plain.span, key: key, nonce: nonce, associatedData: [byte])
            let cipher = try key.withBytes { key throws(CryptoFailure) in try AESGCM(key: key) }
            #expect(once == (try cipher.seal(plain.span, nonce: nonce, associatedData: [byte])))
            let opened = try AESGCM.openOnce(once.span, key: key, nonce: nonce, associatedData: [byte])
            let text = bytes(opened)
            #expect(text == plain)
        }
    }

    @Test func `another key, nonce, text or tag opens nothing, and the next message opens all the same`() throws {
        let right = key(1)
        let sealed = try AESGCM.sealOnce(plain.span, key: right, nonce: nonce, associatedData: [7])
        var altered = sealed
        altered[3] ^= 1
        for attempt in 0..<4 {
            let packet = attempt == 3 ? altered : sealed
            do throws(CryptoFailure) {
                _ = try AESGCM.openOnce(
                    packet.span, key: attempt == 0 ? key(2) : key(1),
                    nonce: attempt == 1 ? [UInt8](repeating: 5, count: 12) : nonce,
                    associatedData: attempt == 2 ? [8] : [7])
                Issue.record("attempt \(attempt) opened")
            } catch {
                #expect(error == .authentication)
            }
            let opened = try AESGCM.openOnce(sealed.span, key: right, nonce: nonce, associatedData: [7])
            let text = bytes(opened)
            #expect(text == plain)
        }
    }

    @Test func `keys and nonces of other lengths are refused`() {
        let short = SecretBytes(copying: [UInt8](repeating: 1, count: 16).span)
        let long = key(1)
        #expect(throws: CryptoFailure.invalidKey) {
            _ = try AESGCM.sealOnce(plain.span, key: short, nonce: nonce, associatedData: [])
        }
        #expect(throws: CryptoFailure.invalidParameter("AES-GCM nonce")) {
            _ = try AESGCM.sealOnce(plain.span, key: long, nonce: [1], associatedData: [])
        }
    }

    @Test func `a text of 2 GiB is refused, and does not end the process`() throws {
        let cipher = try key(1).withBytes { key throws(CryptoFailure) in try AESGCM(key: key) }
        var page = [UInt8](repeating: 0, count: 16)
        // Nobody reads it: it is refused by its length.
        unsafe page.withUnsafeMutableBytes { page in
            let long = unsafe UnsafeMutableRawBufferPointer(start: page.baseAddress, count: 1 << 31)
            do throws(CryptoFailure) {
                unsafe try cipher.sealPage(
                    UnsafeRawBufferPointer(long), into: long, tag: page, nonce: nonce, associatedData: [])
                Issue.record("sealed")
            } catch {
                #expect(error == .invalidParameter("AES-GCM length"))
            }
            do throws(CryptoFailure) {
                unsafe try cipher.openPage(
                    UnsafeRawBufferPointer(long), tag: UnsafeRawBufferPointer(page), into: long, nonce: nonce,
                    associatedData: [])
                Issue.record("opened")
            } catch {
                #expect(error == .invalidParameter("AES-GCM length"))
            }
        }
    }

    // Seals with whatever key is in the context.
    private func sealed(_ context: inout CipherContext) -> [UInt8] {
        var target = [UInt8](repeating: 0, count: plain.count + 16)
        let isSealed =
            unsafe context.begin(nonce, [], encrypting: true)
            && plain.withUnsafeBytes { plain in
                unsafe target.withUnsafeMutableBytes { target in
                    unsafe context.seal(
                        plain, into: UnsafeMutableRawBufferPointer(rebasing: target[..<plain.count]),
                        tag: UnsafeMutableRawBufferPointer(rebasing: target[plain.count...]))
                }
            }
        #expect(isSealed)
        return target
    }

    @Test func `a context that forgot its key seals as the key of zeros does`() throws {
        let cache = CipherContextCache()
        var results: [[UInt8]] = []
        try cache.withContext(32) { context throws(CryptoFailure) in
            let isKept = context.keep(key(9))
            results.append(sealed(&context))
            let isForgotten = context.forgetKey() && !context.holdsKey
            results.append(sealed(&context))
            #expect(isKept && isForgotten)
        }
        #expect(results[0] != results[1])
        #expect(results[1] == (try AESGCM.sealOnce(plain.span, key: key(0), nonce: nonce, associatedData: [])))
    }

    @Test func `the next message finds the key, unless a message failed`() throws {
        let cache = CipherContextCache()
        var found: [Bool] = []
        try cache.withContext(32) { context throws(CryptoFailure) in found.append(context.keep(key(1))) }
        try cache.withContext(32) { context throws(CryptoFailure) in found.append(context.holdsKey) }
        #expect(throws: CryptoFailure.authentication) {
            try cache.withContext(32) { _ throws(CryptoFailure) in throw .authentication }
        }
        try cache.withContext(32) { context throws(CryptoFailure) in found.append(context.holdsKey) }
        #expect(found == [true, true, false])
    }

    @Test func `a caller that comes meanwhile gets another context, which does not stay`() throws {
        let shared = SharedCache()
        let wasFresh = SharedFlag()
        let done = DispatchSemaphore(value: 0)
        try shared.cache.withContext(32) { context throws(CryptoFailure) in
            let isKept = context.keep(key(1))
            let before = sealed(&context)
            DispatchQueue.global().async {
                try? shared.cache.withContext(32) { other throws(CryptoFailure) in
                    let isFresh = !other.holdsKey
                    let isKept = other.keep(key(2))
                    wasFresh.value.withLock { $0 = isFresh && isKept }
                }
                done.signal()
            }
            done.wait()
            let isUnchanged = sealed(&context) == before
            #expect(isKept && isUnchanged)
        }
        #expect(wasFresh.value.withLock { $0 })
        let first = try AESGCM.sealOnce(plain.span, key: key(1), nonce: nonce, associatedData: [])
        var again: [UInt8] = []
        try shared.cache.withContext(32) { context throws(CryptoFailure) in again = sealed(&context) }
        #expect(again == first)
    }

    @Test func `threads that seal and open at once get what belongs to each of them`() throws {
        let shared = key(5)
        let cipher = Shared(try shared.withBytes { key throws(CryptoFailure) in try AESGCM(key: key) })
        let wrong = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            let own = key(UInt8(10 + thread))
            for round in 0..<200 {
                let text = [UInt8](repeating: UInt8(truncatingIfNeeded: thread &* 31 &+ round), count: 1 + round)
                let data = [UInt8(thread)]
                let fits: Bool
                do {
                    let one = try cipher.value.seal(text.span, nonce: nonce, associatedData: data)
                    let other = try AESGCM.sealOnce(text.span, key: own, nonce: nonce, associatedData: data)
                    let first = try cipher.value.open(one.span, nonce: nonce, associatedData: data)
                    let second = try AESGCM.openOnce(other.span, key: own, nonce: nonce, associatedData: data)
                    fits = bytes(first) == text && bytes(second) == text
                } catch {
                    fits = false
                }
                if !fits { wrong.add(1, ordering: .relaxed) }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
    }
}

private final class Shared: Sendable {
    let value: AESGCM
    init(_ value: consuming AESGCM) { self.value = value }
}

private final class SharedCache: Sendable {
    let cache = CipherContextCache()
}

private final class SharedFlag: Sendable {
    let value = Mutex(false)
}
