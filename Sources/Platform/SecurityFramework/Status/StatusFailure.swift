/// A status code on its way to the caller of a keychain function.
package struct StatusFailure: Error, Hashable, Sendable {
    /// The code the function will return.
    package let status: OSStatus

    /// Carries a code.
    package init(_ status: OSStatus) { self.status = status }
}
