#if canImport(AppKit) || canImport(UIKit)
internal import Foundation
public import PaviseTransport

#if canImport(AppKit)
internal import AppKit
#else
internal import UIKit
#endif

/// The browser that the person has chosen.
public struct SystemBrowser: Browser {
    /// The person's browser.
    public init() {}

    /// Opens the address in it. The address holds a challenge and a state, no secret.
    @MainActor
    public func open(_ url: WebURL) async throws(BrowserFailure) {
        guard let address = URL(string: url.description) else { throw BrowserFailure("the address cannot be opened") }
        #if canImport(AppKit)
        let isOpen = NSWorkspace.shared.open(address)
        #else
        let isOpen = await UIApplication.shared.open(address)
        #endif
        guard isOpen else { throw BrowserFailure("the system opened no browser") }
    }
}
#endif
