// Declarations of ours of what Pavise names of AppKit, from Apple's documentation. For checking types on Linux.
// Pages: https://developer.apple.com/documentation/appkit/ and the name in lower case.
// Only: macosx
@_exported public import Foundation

@MainActor open class NSResponder: NSObject {}
/// https://developer.apple.com/documentation/appkit/nsview
@MainActor open class NSView: NSResponder {
    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let width = AutoresizingMask(rawValue: 2)
        public static let height = AutoresizingMask(rawValue: 16)
    }
    open var frame: NSRect { get { fatalError() } set {} }
    open var bounds: NSRect { get { fatalError() } set {} }
    open var isHidden: Bool { get { fatalError() } set {} }
    open var autoresizingMask: AutoresizingMask { get { fatalError() } set {} }
    open var superview: NSView? { fatalError() }
    open func addSubview(_ view: NSView) {}
    open func removeFromSuperview() {}
}

/// https://developer.apple.com/documentation/appkit/nswindow
@MainActor open class NSWindow: NSResponder {
    public enum SharingType: UInt, Sendable { case none, readOnly, readWrite }
    open var sharingType: SharingType { get { fatalError() } set {} }
    /// https://developer.apple.com/documentation/appkit/nswindow/iskeywindow
    open var isKeyWindow: Bool { fatalError() }
    open var contentView: NSView? { get { fatalError() } set {} }
    /// https://developer.apple.com/documentation/appkit/nswindow/makefirstresponder(_:)
    open func makeFirstResponder(_ responder: NSResponder?) -> Bool { false }
    /// https://developer.apple.com/documentation/appkit/nswindow/endediting(for:)
    open func endEditing(for object: Any?) {}
    public class var didBecomeKeyNotification: NSNotification.Name { fatalError() }
    public class var didResignKeyNotification: NSNotification.Name { fatalError() }
    public class var didMiniaturizeNotification: NSNotification.Name { fatalError() }
    /// https://developer.apple.com/documentation/appkit/nswindow/didupdatenotification
    public class var didUpdateNotification: NSNotification.Name { fatalError() }
    public class var didDeminiaturizeNotification: NSNotification.Name { fatalError() }
}

/// https://developer.apple.com/documentation/appkit/nspasteboard
open class NSPasteboard: NSObject {
    public struct PasteboardType: Hashable, Sendable {
        public static let string = PasteboardType()
    }
    /// https://developer.apple.com/documentation/appkit/nspasteboard/contentsoptions
    public struct ContentsOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let currentHostOnly = ContentsOptions(rawValue: 1)
    }
    open class var general: NSPasteboard { fatalError() }
    open var changeCount: Int { fatalError() }
    @discardableResult open func prepareForNewContents(with options: ContentsOptions = []) -> Int { 0 }
    @discardableResult open func clearContents() -> Int { 0 }
    @discardableResult open func setString(_ string: String, forType dataType: PasteboardType) -> Bool { false }
}

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
    public class var shared: NSApplication { fatalError() }
    public var keyWindow: NSWindow? { fatalError() }
    public class var didBecomeActiveNotification: NSNotification.Name { fatalError() }
    public class var didResignActiveNotification: NSNotification.Name { fatalError() }
    public class var didHideNotification: NSNotification.Name { fatalError() }
    public class var willUnhideNotification: NSNotification.Name { fatalError() }
    /// https://developer.apple.com/documentation/appkit/nsapplication/registerforremotenotifications()
    open func registerForRemoteNotifications() {}
}

extension NSNotification.Name {
    /// https://developer.apple.com/documentation/foundation/nsnotification/name-swift.struct and the name in lower case
    public static var NSApplicationProtectedDataWillBecomeUnavailable: NSNotification.Name { fatalError() }
    public static var NSApplicationProtectedDataDidBecomeAvailable: NSNotification.Name { fatalError() }
}

/// https://developer.apple.com/documentation/appkit/nsapplicationdelegate
@MainActor public protocol NSApplicationDelegate: NSObjectProtocol {
    func application(
        _ application: NSApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
}
