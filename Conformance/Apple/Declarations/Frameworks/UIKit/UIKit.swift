// Declarations of ours of what Pavise names of UIKit, from Apple's documentation. For checking types on Linux.
// Pages: https://developer.apple.com/documentation/uikit/ and the name in lower case.
// Only: ios
@_exported public import Foundation

@MainActor open class UIResponder: NSObject {}
/// https://developer.apple.com/documentation/uikit/uicolor
open class UIColor: NSObject, @unchecked Sendable {
    open class var systemBackground: UIColor { fatalError() }
}
/// https://developer.apple.com/documentation/uikit/uiview
@MainActor open class UIView: UIResponder {
    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let flexibleWidth = AutoresizingMask(rawValue: 2)
        public static let flexibleHeight = AutoresizingMask(rawValue: 16)
    }
    open var frame: CGRect {
        get { fatalError() }
        set {}
    }
    open var bounds: CGRect {
        get { fatalError() }
        set {}
    }
    open var isHidden: Bool {
        get { fatalError() }
        set {}
    }
    open var autoresizingMask: AutoresizingMask {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/uikit/uiview/backgroundcolor
    open var backgroundColor: UIColor? {
        get { fatalError() }
        set {}
    }
    open func addSubview(_ view: UIView) {}
    /// https://developer.apple.com/documentation/uikit/uiview/endediting(_:)
    @discardableResult open func endEditing(_ force: Bool) -> Bool { false }
}

/// https://developer.apple.com/documentation/objectivec/nsobject-swift.class/accessibilityelementshidden
extension UIView {
    public var accessibilityElementsHidden: Bool {
        get { fatalError() }
        set {}
    }
}

/// https://developer.apple.com/documentation/uikit/uiviewcontroller
@MainActor open class UIViewController: UIResponder {
    public override init() {}
    open var view: UIView! {
        get { fatalError() }
        set {}
    }
}

/// https://developer.apple.com/documentation/uikit/uiwindow
@MainActor open class UIWindow: UIView {
    /// https://developer.apple.com/documentation/uikit/uiwindow/didbecomevisiblenotification
    public class var didBecomeVisibleNotification: NSNotification.Name { fatalError() }
    public struct Level: Hashable, Sendable {
        public static let alert = Level()
        public static func + (level: Level, more: CGFloat) -> Level { level }
    }
    public override init() {}
    public init(windowScene: UIWindowScene) {}
    open var windowLevel: Level {
        get { fatalError() }
        set {}
    }
    open var rootViewController: UIViewController? {
        get { fatalError() }
        set {}
    }
}

/// https://developer.apple.com/documentation/uikit/uiscenecapturestate
public enum UISceneCaptureState: Int, Sendable { case unspecified = -1, inactive, active }
/// https://developer.apple.com/documentation/uikit/uitraitscenecapturestate
public struct UITraitSceneCaptureState: UITraitDefinition {}
/// https://developer.apple.com/documentation/uikit/uitraitdefinition
public protocol UITraitDefinition {}
public typealias UITrait = any UITraitDefinition.Type
/// https://developer.apple.com/documentation/uikit/uitraitchangeregistration
public protocol UITraitChangeRegistration: NSObjectProtocol {}

/// https://developer.apple.com/documentation/uikit/uitraitcollection
@MainActor open class UITraitCollection: NSObject {
    open var sceneCaptureState: UISceneCaptureState { fatalError() }
}

/// https://developer.apple.com/documentation/uikit/uiwindowscene
@MainActor open class UIWindowScene: UIScene {
    open var windows: [UIWindow] { fatalError() }
    open var traitCollection: UITraitCollection { fatalError() }
    /// https://developer.apple.com/documentation/uikit/uitraitchangeobservable
    @discardableResult public func registerForTraitChanges(
        _ traits: [UITrait], handler: @escaping (UIWindowScene, UITraitCollection) -> Void
    ) -> any UITraitChangeRegistration { fatalError() }
}

/// https://developer.apple.com/documentation/uikit/uipasteboard
@MainActor open class UIPasteboard: NSObject {
    public struct OptionsKey: Hashable, Sendable {
        public static let expirationDate = OptionsKey()
        public static let localOnly = OptionsKey()
    }
    open class var general: UIPasteboard { fatalError() }
    public static let typeAutomatic = ""
    open var items: [[String: Any]] {
        get { fatalError() }
        set {}
    }
    open var changeCount: Int { fatalError() }
    open func setItems(_ items: [[String: Any]], options: [OptionsKey: Any] = [:]) {}
}

@MainActor open class UIApplication: UIResponder {
    /// https://developer.apple.com/documentation/uikit/uiapplication/extensionpointidentifier
    public struct ExtensionPointIdentifier: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// https://developer.apple.com/documentation/uikit/uiapplication/extensionpointidentifier/keyboard
        public static let keyboard = ExtensionPointIdentifier(rawValue: "com.apple.keyboard-service")
    }
    open class var shared: UIApplication { fatalError() }
    open var connectedScenes: Set<UIScene> { fatalError() }
    @discardableResult open func open(_ url: URL) async -> Bool { false }
    /// https://developer.apple.com/documentation/uikit/uiapplication/registerforremotenotifications()
    open func registerForRemoteNotifications() {}
    /// https://developer.apple.com/documentation/uikit/uiapplication/protecteddatawillbecomeunavailablenotification
    public class var protectedDataWillBecomeUnavailableNotification: NSNotification.Name { fatalError() }
    public class var protectedDataDidBecomeAvailableNotification: NSNotification.Name { fatalError() }
    /// https://developer.apple.com/documentation/uikit/uiapplication/userdidtakescreenshotnotification
    public class var userDidTakeScreenshotNotification: NSNotification.Name { fatalError() }
}

/// https://developer.apple.com/documentation/uikit/uiapplicationdelegate
@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
    func application(
        _ application: UIApplication,
        shouldAllowExtensionPointIdentifier identifier: UIApplication.ExtensionPointIdentifier
    ) -> Bool
    /// https://developer.apple.com/documentation/uikit/uiapplicationdelegate and the name in lower case.
    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
}

/// https://developer.apple.com/documentation/uikit/uiscene. The names of its notifications are isolated as the class
/// is: the documentation says nothing else.
@MainActor open class UIScene: UIResponder {
    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive, foregroundInactive, background
    }
    open var activationState: ActivationState { fatalError() }
    public class var didActivateNotification: NSNotification.Name { fatalError() }
    public class var willDeactivateNotification: NSNotification.Name { fatalError() }
    public class var didEnterBackgroundNotification: NSNotification.Name { fatalError() }
    public class var willEnterForegroundNotification: NSNotification.Name { fatalError() }
    public class var didDisconnectNotification: NSNotification.Name { fatalError() }
}
