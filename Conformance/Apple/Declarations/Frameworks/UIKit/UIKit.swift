// Declarations of ours of what Pavise names of UIKit, from Apple's documentation. For checking types on Linux.
// Only: ios
@_exported public import Foundation

@MainActor open class UIResponder: NSObject {}
@MainActor open class UIView: UIResponder {}
@MainActor open class UIWindow: UIView {}
@MainActor open class UIApplication: UIResponder {
    open class var shared: UIApplication { fatalError() }
    @discardableResult open func open(_ url: URL) async -> Bool { false }
}
