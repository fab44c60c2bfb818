#if os(Linux)
internal import Foundation
public import PaviseTransport

/// The browser that the desktop has chosen, through `xdg-open`.
public struct SystemBrowser: Browser {
    /// The desktop's browser.
    public init() {}

    /// Starts `xdg-open` with the address. The address holds a challenge and a state, no secret.
    public func open(_ url: WebURL) async throws(BrowserFailure) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xdg-open", url.description]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            let status = try await withCheckedThrowingContinuation { continuation in
                process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
                do { try process.run() } catch { continuation.resume(throwing: error) }
            }
            guard status == 0 else { throw BrowserFailure("no browser was found") }
        } catch {
            throw BrowserFailure("xdg-open found no browser; open the address yourself (--no-browser prints it)")
        }
    }
}
#endif
