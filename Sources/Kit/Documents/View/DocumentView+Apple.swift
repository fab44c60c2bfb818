#if os(iOS) || os(macOS)
public import WebKit

/// Shows a ``DocumentPage`` in a view of the system, with all of ``ViewLayers`` around it, or not at all.
///
/// ```swift
/// let view = try await DocumentView.show(page)
/// window.addSubview(view.webView)
/// ```
///
/// Compiled only: no Apple system has run it.
@MainActor public final class DocumentView: NSObject, WKNavigationDelegate {
    /// A layer does not stand; nothing is shown.
    public struct Missing: Error, Hashable, Sendable {
        /// Which ones.
        public let layers: [ViewLayers.Layer]
    }

    /// The view to put into a window.
    public let webView: WKWebView
    private var isLoading = false

    /// Every address is blocked, whatever names it.
    private static let rules = #"[{"trigger":{"url-filter":".*"},"action":{"type":"block"}}]"#

    /// Makes a view of `page`.
    ///
    /// - Throws: ``Missing`` when a layer could not be put in place.
    public static func show(_ page: DocumentPage) async throws -> DocumentView {
        var layers = ViewLayers()
        // The page is one of ours, and has its policy in it.
        layers.stands(.closedAlphabet)
        layers.stands(.contentSecurityPolicy)
        let configuration = WKWebViewConfiguration()
        configuration.websiteDataStore = .nonPersistent()
        if !configuration.websiteDataStore.isPersistent { layers.stands(.temporaryStore) }
        configuration.defaultWebpagePreferences.allowsContentJavaScript = false
        if !configuration.defaultWebpagePreferences.allowsContentJavaScript { layers.stands(.scriptsOff) }
        let store = WKContentRuleListStore.default()
        if let list = try? await store?.compileContentRuleList(
            forIdentifier: "pavise-document", encodedContentRuleList: rules)
        {
            configuration.userContentController.add(list)
            layers.stands(.ruleList)
        }
        let view = DocumentView(configuration)
        if view.webView.navigationDelegate === view { layers.stands(.navigationRefused) }
        guard layers.mayShow else { throw Missing(layers: layers.missing) }
        view.isLoading = true
        view.webView.loadHTMLString(String(decoding: page.html(), as: UTF8.self), baseURL: nil)
        return view
    }

    private init(_ configuration: WKWebViewConfiguration) {
        webView = WKWebView(frame: .zero, configuration: configuration)
        super.init()
        webView.navigationDelegate = self
    }

    /// Lets the first load through and refuses everything after it: links are opened outside, by the person.
    public func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction
    ) async -> WKNavigationActionPolicy {
        defer { isLoading = false }
        return isLoading && navigationAction.request.url?.absoluteString == "about:blank" ? .allow : .cancel
    }
}
#endif
