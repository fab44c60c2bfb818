internal import CPavisePlatform
internal import Synchronization

/// Memory for secrets: pages of their own, asked to be locked, not dumped and not forked, and cut into blocks of a few
/// sizes.
///
/// To map and lock pages for each secret costs far more than `malloc`; a block that is there costs less. So blocks of
/// up to 1 MiB are kept when they come back, and lent to the next secret of their size: small ones for good, large ones
/// up to 4 MiB together. A block is zero when it is lent, and wiped before it comes back.
enum SecretMemory {
    static let largestBlock = 4096
    // Linux lets a process lock 8 MiB, or 64 KiB on older systems: one refused region is not followed by others that
    // are.
    private static let regionSize = 65_536
    private static let pageSize = 4096
    private static let longestLocked = 1 << 20
    private static let mostKept = 1 << 22
    // 32, 64, … 4,096 bytes in pages that blocks share; 8 KiB to 1 MiB in pages of their own.
    private static let sizes = 16

    // Addresses are numbers here: the blocks belong to whoever holds the lock.
    private struct State {
        /// The first free block of each size; the next one's address is in its first bytes.
        var free = [UInt](repeating: 0, count: sizes)
        /// The part of a page that was never used, for each size.
        var fresh = [Range<UInt>](repeating: 0..<0, count: sizes)
        /// The part of a region that was never used.
        var region: Range<UInt> = 0..<0
        /// How many bytes of large blocks are free.
        var keptBytes = 0
        /// What every region was granted.
        var granted: Int32 = ~0
    }

    private static let state = Mutex(State())

    /// `count` zero bytes.
    static func allocate(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
        guard count > largestBlock else { return unsafe block(count) }
        if count <= longestLocked, let kept = unsafe kept(count) { return unsafe kept }
        guard let (pages, granted) = unsafe map(mappedSize(count), maxLocked: longestLocked) else {
            // As every allocation of Swift's: nothing can go on without memory, and a secret never lies elsewhere
            // instead.
            fatalError("no memory for a secret of \(count) bytes")
        }
        note(granted)
        return unsafe UnsafeMutableBufferPointer(start: pages.assumingMemoryBound(to: UInt8.self), count: count)
    }

    /// Takes back what ``allocate(_:)`` gave; the caller has wiped it.
    static func free(_ storage: UnsafeMutableBufferPointer<UInt8>) {
        guard let base = storage.baseAddress else { return }
        let count = storage.count
        let isKept = state.withLock { state in
            if count > largestBlock {
                guard count <= longestLocked, state.keptBytes + mappedSize(count) <= mostKept else { return false }
                state.keptBytes += mappedSize(count)
            }
            let index = sizeIndex(count)
            unsafe UnsafeMutableRawPointer(base).storeBytes(of: state.free[index], as: UInt.self)
            state.free[index] = UInt(bitPattern: base)
            return true
        }
        if !isKept { unsafe pavise_secret_pages_free(base, mappedSize(count)) }
    }

    // A large block that came back; `nil` when there is none of the size.
    private static func kept(_ count: Int) -> UnsafeMutableBufferPointer<UInt8>? {
        let address = state.withLock { state in
            let known = take(sizeIndex(count), &state)
            if known != nil { state.keptBytes -= mappedSize(count) }
            return known
        }
        guard let address, let start = unsafe UnsafeMutablePointer<UInt8>(bitPattern: address) else { return nil }
        return unsafe UnsafeMutableBufferPointer(start: start, count: count)
    }

    private static func take(_ index: Int, _ state: inout State) -> UInt? {
        let known = state.free[index]
        guard known != 0, let base = unsafe UnsafeMutableRawPointer(bitPattern: known) else { return nil }
        state.free[index] = unsafe base.load(as: UInt.self)
        unsafe base.storeBytes(of: 0, as: UInt.self)
        return known
    }

    /// What the system granted for every region so far; asks for the first where there is none yet.
    static var granted: Int32 {
        unsafe free(allocate(1))
        return state.withLock { $0.granted }
    }

    private static func block(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
        let index = sizeIndex(count)
        let address = state.withLock { state in take(index, &state) ?? freshBlock(index, &state) }
        let start = unsafe UnsafeMutablePointer<UInt8>(bitPattern: address)
        return unsafe UnsafeMutableBufferPointer(start: start, count: count)
    }

    private static func freshBlock(_ index: Int, _ state: inout State) -> UInt {
        if state.fresh[index].isEmpty {
            if state.region.isEmpty { extend(&state) }
            let start = state.region.lowerBound
            state.fresh[index] = start..<start + UInt(pageSize)
            state.region = start + UInt(pageSize)..<state.region.upperBound
        }
        let start = state.fresh[index].lowerBound
        state.fresh[index] = start + UInt(32 << index)..<state.fresh[index].upperBound
        return start
    }

    private static func extend(_ state: inout State) {
        guard let (pages, granted) = unsafe map(regionSize, maxLocked: regionSize) else {
            // As above.
            fatalError("no memory for secrets")
        }
        let start = UInt(bitPattern: pages)
        state.region = start..<start + UInt(regionSize)
        state.granted &= granted
    }

    private static func map(_ count: Int, maxLocked: Int) -> (UnsafeMutableRawPointer, Int32)? {
        var granted: Int32 = 0
        let pages = unsafe pavise_secret_pages(count, count <= maxLocked ? 1 : 0, &granted)
        return unsafe pages.map { unsafe ($0, granted) }
    }

    private static func note(_ granted: Int32) { state.withLock { $0.granted &= granted } }

    // A power of two up to 1 MiB, else whole pages.
    private static func mappedSize(_ count: Int) -> Int {
        count <= longestLocked ? 32 << sizeIndex(count) : (count + pageSize - 1) / pageSize * pageSize
    }

    // 0 for up to 32 bytes, 1 for up to 64, …
    private static func sizeIndex(_ count: Int) -> Int {
        count <= 32 ? 0 : Int.bitWidth - (count - 1).leadingZeroBitCount - 5
    }
}
