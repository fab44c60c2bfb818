/// A body that is read while it is sent, for example from a file.
package protocol BodySource: Sendable {
    /// The size in bytes, which is announced to the server.
    var count: Int { get }

    /// At most `limit` bytes from `offset` on. Called on the engine's thread; must not wait for anything but a disk.
    ///
    /// - Returns: `nil` when they cannot be read; the exchange ends. Never empty before the end.
    func read(at offset: Int, upTo limit: Int) -> [UInt8]?
}
