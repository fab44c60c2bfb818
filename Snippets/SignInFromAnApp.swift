// Signs in to a server from an app to which the system delivers the answer at an address of its own.
import Pavise

// The domain names the app (apple-app-site-association), so the system gives this address to no other.
let receiver = RedirectReceiver(try RedirectAddress("https://app.example.org/signed-in"))

/// What the app does with an address that the system hands it, for example in `onOpenURL`.
func opened(_ address: String) -> Bool { receiver.deliver(address) }

let connection = try Connections().open("work")
try await connection.signIn(receiver: receiver)

#if canImport(AuthenticationServices)
import AuthenticationServices

/// A sign-in in the system's own sheet.
@MainActor func signIn(_ connection: Connection, over window: ASPresentationAnchor) async throws {
    let receiver = RedirectReceiver(try RedirectAddress("https://app.example.org/signed-in"))
    let sheet = SignInSheet(over: receiver) { window }  // the window that the person looks at
    try await connection.signIn(browser: sheet, receiver: receiver)
}
#endif
