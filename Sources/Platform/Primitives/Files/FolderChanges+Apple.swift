#if canImport(Darwin)
internal import Dispatch

#if os(macOS)
internal import CoreServices
internal import Foundation
#endif

/// Says soon that something in a folder changed, and never that nothing did: the system drops what it has no room for.
///
/// macOS tells of a whole tree by its file system events; iOS has none of them, and there it only waits.
/// https://developer.apple.com/documentation/coreservices/file_system_events — written against the documentation,
/// never run on an Apple system.
package final class FolderChanges: Sendable {
    private let changed: DispatchSemaphore

    #if os(macOS)
    // Safe to share: it is touched when it is made and when this value goes, and never in between.
    private nonisolated(unsafe) let stream: FSEventStreamRef?

    /// Watches `path` and the folders in it, as far as the system lets.
    package init(_ path: String) {
        changed = DispatchSemaphore(value: 0)
        // The stream owns one reference, and gives it back when nobody is called any more.
        var context = unsafe FSEventStreamContext(
            version: 0, info: Unmanaged.passRetained(changed).toOpaque(), retain: nil,
            release: { info in
                guard let info = unsafe info else { return }
                unsafe Unmanaged<DispatchSemaphore>.fromOpaque(info).release()
            }, copyDescription: nil)
        let flags = FSEventStreamCreateFlags(kFSEventStreamCreateFlagFileEvents | kFSEventStreamCreateFlagNoDefer)
        unsafe stream = FSEventStreamCreate(
            kCFAllocatorDefault,
            { _, info, _, _, _, _ in
                guard let info = unsafe info else { return }
                unsafe Unmanaged<DispatchSemaphore>.fromOpaque(info).takeUnretainedValue().signal()
            }, &context, [path] as CFArray, FSEventStreamEventId(kFSEventStreamEventIdSinceNow), 0.1, flags)
        guard let stream = unsafe stream else { return }
        unsafe FSEventStreamSetDispatchQueue(stream, DispatchQueue(label: "pavise.folder-changes"))
        _ = unsafe FSEventStreamStart(stream)
    }

    deinit {
        guard let stream = unsafe stream else { return }
        unsafe FSEventStreamStop(stream)
        unsafe FSEventStreamInvalidate(stream)
        unsafe FSEventStreamRelease(stream)
    }
    #else
    /// Watches nothing.
    package init(_ path: String) { changed = DispatchSemaphore(value: 0) }
    #endif

    /// Waits at most so long; blocks the thread.
    ///
    /// - Returns: Whether something changed.
    package func wait(milliseconds: Int32) -> Bool {
        guard changed.wait(timeout: .now() + Double(max(0, milliseconds)) / 1_000) == .success else { return false }
        // What it was, and how much, does not matter: a full look follows.
        while changed.wait(timeout: .now()) == .success {}
        return true
    }
}
#endif
