// Declarations of ours of what Pavise names of AppKit, from Apple's documentation. For checking types on Linux.
// Only: macosx
@_exported public import Foundation

@MainActor open class NSResponder: NSObject {}
@MainActor open class NSWindow: NSResponder {}
open class NSWorkspace: NSObject {
    open class var shared: NSWorkspace { fatalError() }
    open func open(_ url: URL) -> Bool { false }
}
