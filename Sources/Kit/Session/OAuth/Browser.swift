public import PaviseTransport

/// Opens the sign-in page in the system's browser, never in a web view inside the app (RFC 8252 §8.12).
public protocol Browser: Sendable {
    /// Opens `url`. It returns when the browser has been asked, not when the person is done.
    ///
    /// - Throws: ``BrowserFailure`` when there is no browser.
    func open(_ url: WebURL) async throws(BrowserFailure)
}

/// The browser could not be opened.
public struct BrowserFailure: Error, Hashable, Sendable {
    /// Why, and what to do, as a sentence.
    public let reason: String

    /// A failure with its reason.
    public init(_ reason: String) { self.reason = reason }
}

/// Passes the address to a closure: a program prints it, a test signs in with it.
public struct AddressReader: Browser {
    private let read: @Sendable (WebURL) async throws(BrowserFailure) -> Void

    /// A browser that is a closure.
    public init(_ read: @escaping @Sendable (WebURL) async throws(BrowserFailure) -> Void) { self.read = read }

    /// Calls the closure.
    public func open(_ url: WebURL) async throws(BrowserFailure) { try await read(url) }
}
