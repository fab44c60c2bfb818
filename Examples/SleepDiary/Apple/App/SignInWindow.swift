import AuthenticationServices
import Pavise

#if os(iOS)
import UIKit
#else
import AppKit
#endif

/// The window over which the system shows the server's sign-in page.
@MainActor
enum SignInWindow {
    /// A sign-in in the system's own sheet; its answer comes back to this app alone.
    static func options() throws -> SignInOptions {
        var options = SignInOptions()
        let receiver = RedirectReceiver(try RedirectAddress("org.example.sleepdiary:/signed-in"))
        options.receiver = receiver
        options.browser = SignInSheet(over: receiver) { anchor }
        return options
    }

    private static var anchor: ASPresentationAnchor {
        #if os(iOS)
        let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
        let active = scenes.first { $0.activationState == .foregroundActive }
        return active?.windows.first ?? ASPresentationAnchor()
        #else
        return NSApplication.shared.keyWindow ?? ASPresentationAnchor()
        #endif
    }
}
