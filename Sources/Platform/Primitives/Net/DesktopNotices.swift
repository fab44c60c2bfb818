internal import CPavisePlatform

/// The notification daemon of a Linux desktop, over D-Bus.
package struct DesktopNotices: Sendable {
    /// Where the bus is; `nil` for the person's own.
    package let address: String?

    package init(address: String? = nil) { self.address = address }

    /// Shows a notice and gives its number. Blocks until the daemon answers, six seconds at most.
    package func show(app: String, title: String, body: String) throws(SystemFailure) -> UInt32 {
        var number: UInt32 = 0
        let code = unsafe pavise_notify(address, app, title, body, Self.marked(body), &number)
        guard code == 0 else { throw SystemFailure(operation: "notify", path: "notification daemon", code: code) }
        return number
    }

    /// Takes one back.
    package func close(_ number: UInt32) throws(SystemFailure) {
        let code = unsafe pavise_notify_close(address, number)
        guard code == 0 else { throw SystemFailure(operation: "notify", path: "notification daemon", code: code) }
    }

    /// The text for a daemon that reads markup.
    static func marked(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
