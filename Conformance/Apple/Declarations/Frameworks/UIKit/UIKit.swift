// Declarations of ours of what Pavise names of UIKit, from Apple's documentation. For checking types on Linux.
// Only: ios
@_exported public import Foundation

@MainActor open class UIResponder: NSObject {}
@MainActor open class UIView: UIResponder {}
@MainActor open class UIWindow: UIView {}
@MainActor open class UIApplication: UIResponder {
    open class var shared: UIApplication { fatalError() }
    @discardableResult open func open(_ url: URL) async -> Bool { false }
    /// https://developer.apple.com/documentation/uikit/uiapplication/protecteddatawillbecomeunavailablenotification
    public class var protectedDataWillBecomeUnavailableNotification: NSNotification.Name { fatalError() }
    public class var protectedDataDidBecomeAvailableNotification: NSNotification.Name { fatalError() }
}

/// https://developer.apple.com/documentation/uikit/uiscene. The names of its notifications are isolated as the class
/// is: the documentation says nothing else.
@MainActor open class UIScene: UIResponder {
    public class var didActivateNotification: NSNotification.Name { fatalError() }
    public class var willDeactivateNotification: NSNotification.Name { fatalError() }
    public class var didEnterBackgroundNotification: NSNotification.Name { fatalError() }
    public class var willEnterForegroundNotification: NSNotification.Name { fatalError() }
    public class var didDisconnectNotification: NSNotification.Name { fatalError() }
}
