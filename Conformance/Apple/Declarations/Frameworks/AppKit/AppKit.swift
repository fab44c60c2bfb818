// Declarations of ours of what Pavise names of AppKit, from Apple's documentation. For checking types on Linux.
// Only: macosx
@_exported public import Foundation

@MainActor open class NSResponder: NSObject {}
@MainActor open class NSWindow: NSResponder {}
open class NSWorkspace: NSObject {
    open class var shared: NSWorkspace { fatalError() }
    open func open(_ url: URL) -> Bool { false }
    /// https://developer.apple.com/documentation/appkit/nsworkspace/notificationcenter
    open var notificationCenter: NotificationCenter { fatalError() }
    public class var sessionDidResignActiveNotification: NSNotification.Name { fatalError() }
    public class var sessionDidBecomeActiveNotification: NSNotification.Name { fatalError() }
    public class var screensDidSleepNotification: NSNotification.Name { fatalError() }
    public class var screensDidWakeNotification: NSNotification.Name { fatalError() }
    public class var willSleepNotification: NSNotification.Name { fatalError() }
    public class var didWakeNotification: NSNotification.Name { fatalError() }
}

/// https://developer.apple.com/documentation/appkit/nsapplication
@MainActor open class NSApplication: NSResponder {
    public class var didBecomeActiveNotification: NSNotification.Name { fatalError() }
    public class var didResignActiveNotification: NSNotification.Name { fatalError() }
    public class var didHideNotification: NSNotification.Name { fatalError() }
    public class var willUnhideNotification: NSNotification.Name { fatalError() }
}
