// Declarations of ours of what Pavise names of Core Services, from Apple's documentation. For checking types on Linux.
// Pages: https://developer.apple.com/documentation/coreservices/ and the name in lower case.
// Only: macosx
@_exported public import CoreFoundation
@_exported public import Dispatch

/// https://developer.apple.com/documentation/coreservices/fseventstreamref
public typealias FSEventStreamRef = OpaquePointer
public typealias ConstFSEventStreamRef = OpaquePointer
public typealias FSEventStreamEventId = UInt64
public typealias FSEventStreamEventFlags = UInt32
public typealias FSEventStreamCreateFlags = UInt32
/// https://developer.apple.com/documentation/coreservices/fseventstreamcallback
public typealias FSEventStreamCallback =
    @convention(c) (
        ConstFSEventStreamRef, UnsafeMutableRawPointer?, Int, UnsafeMutableRawPointer,
        UnsafePointer<FSEventStreamEventFlags>, UnsafePointer<FSEventStreamEventId>
    ) -> Void

/// https://developer.apple.com/documentation/coreservices/fseventstreamcontext
@unsafe public struct FSEventStreamContext {
    public var version: Int
    public var info: UnsafeMutableRawPointer?
    public var retain: (@convention(c) (UnsafeRawPointer?) -> UnsafeRawPointer?)?
    public var release: (@convention(c) (UnsafeRawPointer?) -> Void)?
    public var copyDescription: (@convention(c) (UnsafeRawPointer?) -> Unmanaged<CFString>?)?
    public init(
        version: Int, info: UnsafeMutableRawPointer?,
        retain: (@convention(c) (UnsafeRawPointer?) -> UnsafeRawPointer?)?,
        release: (@convention(c) (UnsafeRawPointer?) -> Void)?,
        copyDescription: (@convention(c) (UnsafeRawPointer?) -> Unmanaged<CFString>?)?
    ) { fatalError() }
}

/// https://developer.apple.com/documentation/coreservices/1455376-fseventstreamcreateflags
public var kFSEventStreamCreateFlagNoDefer: Int { fatalError() }
public var kFSEventStreamCreateFlagFileEvents: Int { fatalError() }
public var kFSEventStreamEventIdSinceNow: UInt64 { fatalError() }

/// https://developer.apple.com/documentation/coreservices/1443980-fseventstreamcreate
public func FSEventStreamCreate(
    _ allocator: CFAllocator?, _ callback: FSEventStreamCallback,
    _ context: UnsafeMutablePointer<FSEventStreamContext>?, _ pathsToWatch: CFArray,
    _ sinceWhen: FSEventStreamEventId, _ latency: CFTimeInterval, _ flags: FSEventStreamCreateFlags
) -> FSEventStreamRef? { fatalError() }
/// https://developer.apple.com/documentation/coreservices/1444164-fseventstreamsetdispatchqueue
public func FSEventStreamSetDispatchQueue(_ stream: FSEventStreamRef, _ queue: DispatchQueue?) {}
public func FSEventStreamStart(_ stream: FSEventStreamRef) -> Bool { fatalError() }
public func FSEventStreamStop(_ stream: FSEventStreamRef) {}
public func FSEventStreamInvalidate(_ stream: FSEventStreamRef) {}
public func FSEventStreamRelease(_ stream: FSEventStreamRef) {}
