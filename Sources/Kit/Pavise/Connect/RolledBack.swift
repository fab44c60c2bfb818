/// A sign-in that failed, and what of it could not be taken back.
package struct RolledBack: Error {
    package let reason: any Error
    package let leftovers: [any Error]

    /// Why it failed, where nothing was left; else both.
    package var error: any Error { leftovers.isEmpty ? reason : self }
}
