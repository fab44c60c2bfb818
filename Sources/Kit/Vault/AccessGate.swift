/// Says whether what a vault gave may be used now, also what is in memory already: an app lock.
package protocol AccessGate: Sendable {
    /// Whether it may be used now. Asked for each request.
    var isOpen: Bool { get }

    /// Calls `body` whenever the gate opens or closes, on any thread, until it returns `false` or `owner` is gone.
    func observe(for owner: (any AnyObject & Sendable)?, _ body: @escaping @Sendable (_ isOpen: Bool) -> Bool)
}
