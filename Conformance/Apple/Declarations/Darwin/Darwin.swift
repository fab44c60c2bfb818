// Declarations of ours of what Apple's Swift overlay adds to Darwin's C library. See ../include/darwin.h.
// Pages: man 2 and man 3, as each name says; https://developer.apple.com/documentation/swift/darwinboolean
@_exported public import Darwin

/// errno(2): a macro in C.
public var errno: Int32 {
    get { unsafe __error().pointee }
    set { unsafe __error().pointee = newValue }
}

/// mmap(2)'s failure: a cast in C.
public var MAP_FAILED: UnsafeMutableRawPointer! { unsafe UnsafeMutableRawPointer(bitPattern: -1) }

/// open(2), variadic in C.
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { fatalError() }

/// open(2), variadic in C.
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { fatalError() }

/// openat(2), variadic in C.
public func openat(_ directory: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { fatalError() }

/// fcntl(2), variadic in C.
public func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 { fatalError() }

/// fcntl(2), variadic in C.
public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 { fatalError() }

/// The environment's list.
public var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    unsafe UnsafeMutablePointer(bitPattern: 8)!
}

/// signal(3)'s default action: a cast in C.
public var SIG_DFL: sig_t? { nil }

/// signal(3)'s deafness: a cast in C. Darwin's overlay gives it as one that is there.
public var SIG_IGN: sig_t { fatalError() }

/// Core Services' Boolean: a byte in C.
@frozen public struct DarwinBoolean: ExpressibleByBooleanLiteral, Sendable {
    public var boolValue: Bool
    public init(_ value: Bool) { boolValue = value }
    public init(booleanLiteral value: Bool) { boolValue = value }
}
public func _convertBoolToDarwinBoolean(_ value: Bool) -> DarwinBoolean { DarwinBoolean(value) }
public func _convertDarwinBooleanToBool(_ value: DarwinBoolean) -> Bool { value.boolValue }
