/// A sign-in that failed, and what of it could not be taken back.
struct RolledBack: Error {
    let reason: any Error
    let leftovers: [any Error]

    /// Why it failed, where nothing was left; else both.
    var error: any Error { leftovers.isEmpty ? reason : self }
}
