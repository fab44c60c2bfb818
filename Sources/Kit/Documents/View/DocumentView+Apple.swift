#if os(iOS) || os(macOS)
public import WebKit

/// Shows a ``DocumentPage`` in a view of the system, with all of ``ViewLayers`` around it, or not at all.
///
/// ```swift
/// let view = try await DocumentView.show(page)
/// window.addSubview(view.webView)
/// ```
///
/// The page is the answer of a server that does not exist (`document.invalid`, RFC 6761): so its policy is a header,
/// which alone can have `sandbox`. Compiled only: no Apple system has run it.
@MainActor public final class DocumentView: NSObject, WKNavigationDelegate {
    /// A layer does not stand; nothing is shown.
    public struct Missing: Error, Hashable, Sendable {
        /// Which ones.
        public let layers: [ViewLayers.Layer]
    }

    /// The view to put into a window.
    public let webView: WKWebView
    private let store: WKWebsiteDataStore
    private var isLoading = false

    private static let address = "https://document.invalid/"

    /// Makes a view of `page`.
    ///
    /// - Throws: ``Missing`` when a layer could not be put in place.
    public static func show(_ page: DocumentPage) async throws -> DocumentView {
        var layers = ViewLayers()
        // The page is one of ours.
        layers.stands(.closedAlphabet)
        guard let url = URL(string: address),
            let answer = HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: "HTTP/1.1",
                headerFields: Dictionary(uniqueKeysWithValues: DocumentPage.headers.map { ($0.name, $0.value) }))
        else { throw Missing(layers: layers.missing) }
        let policy = answer.value(forHTTPHeaderField: "Content-Security-Policy") ?? ""
        if policy.hasPrefix(DocumentPage.contentSecurityPolicy + ";") { layers.stands(.contentSecurityPolicy) }
        if policy.contains("; sandbox;") { layers.stands(.sandbox) }
        let configuration = WKWebViewConfiguration()
        configuration.websiteDataStore = .nonPersistent()
        if !configuration.websiteDataStore.isPersistent { layers.stands(.temporaryStore) }
        configuration.defaultWebpagePreferences.allowsContentJavaScript = false
        if !configuration.defaultWebpagePreferences.allowsContentJavaScript { layers.stands(.scriptsOff) }
        if let list = try? await WKContentRuleListStore.default()?.compileContentRuleList(
            forIdentifier: "pavise-document", encodedContentRuleList: DocumentPage.blockingRules)
        {
            configuration.userContentController.add(list)
            layers.stands(.ruleList)
        }
        let view = DocumentView(configuration)
        if view.webView.navigationDelegate === view { layers.stands(.navigationRefused) }
        guard layers.mayShow else { throw Missing(layers: layers.missing) }
        view.isLoading = true
        view.webView.loadSimulatedRequest(
            URLRequest(url: url), response: answer, responseData: Data(page.html()))
        return view
    }

    /// Empties what WebKit kept in memory for the view. Call it when the page was read and the view is out of its
    /// window.
    public func close() async {
        webView.stopLoading()
        await store.removeData(
            ofTypes: WKWebsiteDataStore.allWebsiteDataTypes(), modifiedSince: Date(timeIntervalSince1970: 0))
    }

    private init(_ configuration: WKWebViewConfiguration) {
        store = configuration.websiteDataStore
        webView = WKWebView(frame: .zero, configuration: configuration)
        super.init()
        webView.navigationDelegate = self
    }

    /// Lets the first load through and refuses everything after it: links are opened outside, by the person.
    public func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction
    ) async -> WKNavigationActionPolicy {
        defer { isLoading = false }
        return isLoading && navigationAction.request.url?.absoluteString == Self.address ? .allow : .cancel
    }
}
#endif
