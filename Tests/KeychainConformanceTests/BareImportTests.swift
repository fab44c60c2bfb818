import SecurityFramework
import Testing

/// Code that imports the module alone, as many files for Apple's systems do: `Data` and `Date` are there.
@Suite struct `Without Foundation` {
    @Test func `data and dates are there, as with Apple's module`() {
        let made: CFData? = unsafe [1, 2, 3].withUnsafeBufferPointer { unsafe CFDataCreate(nil, $0.baseAddress, 3) }
        let data: Data? = made as Data?
        let date: Date? = nil
        #expect(data == Data([1, 2, 3]) && date == nil)
    }

    @Test func `bytes without a copy stay the caller's with the allocator that frees nothing`() {
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 3)
        unsafe memory.initialize(repeating: 7, count: 3)
        defer { unsafe memory.deallocate() }
        let made: CFData? = unsafe CFDataCreateWithBytesNoCopy(nil, memory, 3, kCFAllocatorNull)
        unsafe memory[0] = 9
        #expect(made as Data? == Data([9, 7, 7]))
    }

    @Test func `bytes without a copy go with the object under the usual allocator`() {
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 3)
        unsafe memory.initialize(repeating: 7, count: 3)
        let made: CFData? = unsafe CFDataCreateWithBytesNoCopy(kCFAllocatorDefault, memory, 3, kCFAllocatorDefault)
        #expect(made as Data? == Data([7, 7, 7]))
    }

    @Test func `a negative length makes nothing, and no bytes make an empty object`() {
        let negative: CFData? = CFDataCreateWithBytesNoCopy(nil, nil, -1, kCFAllocatorNull)
        let empty: CFData? = CFDataCreateWithBytesNoCopy(nil, nil, 3, kCFAllocatorNull)
        #expect(negative == nil && CFDataGetLength(empty) == 0)
    }
}
