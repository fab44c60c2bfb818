// Declarations of ours of what Pavise names of WebKit, from Apple's documentation. For checking types on Linux.
// Pages: https://developer.apple.com/documentation/webkit/ and the name in lower case.
@_exported public import Foundation

#if os(iOS)
public import UIKit
public typealias WKPlatformView = UIView
#else
public import AppKit
public typealias WKPlatformView = NSView
#endif

/// https://developer.apple.com/documentation/webkit/wkwebsitedatastore
@MainActor open class WKWebsiteDataStore: NSObject {
    open class func nonPersistent() -> WKWebsiteDataStore { fatalError() }
    open var isPersistent: Bool { fatalError() }
    open class func allWebsiteDataTypes() -> Set<String> { fatalError() }
    open func removeData(ofTypes dataTypes: Set<String>, modifiedSince date: Date) async {}
}
/// https://developer.apple.com/documentation/webkit/wkwebpagepreferences
@MainActor open class WKWebpagePreferences: NSObject {
    open var allowsContentJavaScript: Bool { get { fatalError() } set {} }
}
/// https://developer.apple.com/documentation/webkit/wkcontentrulelist
@MainActor open class WKContentRuleList: NSObject {}
/// https://developer.apple.com/documentation/webkit/wkcontentruleliststore
@MainActor open class WKContentRuleListStore: NSObject {
    open class func `default`() -> WKContentRuleListStore! { fatalError() }
    open func compileContentRuleList(
        forIdentifier identifier: String, encodedContentRuleList: String
    ) async throws -> WKContentRuleList? { nil }
}
/// https://developer.apple.com/documentation/webkit/wkusercontentcontroller
@MainActor open class WKUserContentController: NSObject {
    open func add(_ contentRuleList: WKContentRuleList) {}
}
/// https://developer.apple.com/documentation/webkit/wkwebviewconfiguration
@MainActor open class WKWebViewConfiguration: NSObject {
    public override init() {}
    open var websiteDataStore: WKWebsiteDataStore { get { fatalError() } set {} }
    open var defaultWebpagePreferences: WKWebpagePreferences! { get { fatalError() } set {} }
    open var userContentController: WKUserContentController { get { fatalError() } set {} }
}
/// https://developer.apple.com/documentation/webkit/wknavigation
@MainActor open class WKNavigation: NSObject {}
/// https://developer.apple.com/documentation/webkit/wknavigationaction
@MainActor open class WKNavigationAction: NSObject { open var request: URLRequest { fatalError() } }
/// https://developer.apple.com/documentation/webkit/wknavigationactionpolicy
public enum WKNavigationActionPolicy: Int, Sendable { case cancel, allow, download }
/// https://developer.apple.com/documentation/webkit/wknavigationdelegate
@MainActor public protocol WKNavigationDelegate: NSObjectProtocol {
    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction
    ) async -> WKNavigationActionPolicy
}
/// https://developer.apple.com/documentation/webkit/wkwebview
@MainActor open class WKWebView: WKPlatformView {
    public init(frame: CGRect, configuration: WKWebViewConfiguration) {}
    open weak var navigationDelegate: (any WKNavigationDelegate)? { get { fatalError() } set {} }
    @discardableResult open func loadSimulatedRequest(
        _ request: URLRequest, response: URLResponse, responseData data: Data
    ) -> WKNavigation { fatalError() }
    open func stopLoading() {}
}
