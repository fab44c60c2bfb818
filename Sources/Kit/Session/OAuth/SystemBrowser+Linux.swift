#if os(Linux)
internal import Foundation
public import PaviseTransport

/// The browser that the desktop has chosen, through `xdg-open`.
public struct SystemBrowser: Browser {
    /// The desktop's browser.
    public init() {}

    /// Starts `xdg-open` with the address. The address holds a challenge and a state, no secret.
    public func open(_ url: WebURL) async throws(BrowserFailure) {
        let address = url.description
        // Some browsers stay in the foreground of xdg-open until they are closed: no answer in time is a good answer.
        let status = await Deadline.run(.seconds(3), sleep: { try await Task.sleep(for: $0) }) {
            await Self.run(["xdg-open", address])
        }
        guard status ?? 0 == 0 else {
            throw BrowserFailure("no browser was found; open the address yourself (--no-browser prints it)")
        }
    }

    private static func run(_ words: [String]) async -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return await withCheckedContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(returning: -1) }
        }
    }
}
#endif
