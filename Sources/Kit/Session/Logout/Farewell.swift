internal import PaviseTransport
package import PaviseVault

/// What is left of a session that ended on this device: enough to take its tokens back at the server, in memory only.
package struct Farewell: Sendable {
    /// Why the tokens or their key are still on this device.
    package let failure: VaultFailure?
    /// The tokens; `nil` when there were none to read.
    let tokens: SessionRecord?
    /// Sends to the revocation endpoint.
    let client: any HTTPClient
    /// The entry in the queue of revocations; `nil` where none was made.
    var ticket: UInt64?
}
