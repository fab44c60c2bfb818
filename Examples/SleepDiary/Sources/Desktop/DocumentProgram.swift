import Foundation

/// The program that shows a document with its layout in WebKitGTK: Examples/DocumentWindow, a process without a key, a
/// token or a file of the diary. It gets the page that was written anew, by a pipe, and no name; by another it tells
/// whether somebody reads it.
@MainActor
final class DocumentProgram {
    /// What became of the window.
    enum Event: Sendable {
        /// It has the keyboard, or has it no more.
        case active, inactive
        /// The program ended; whether it had shown the page.
        case ended(wasShown: Bool)
    }

    private let process = Process()
    private var isClosed = false
    // What was said before the end may come after it: somebody who has left would be there for ever.
    private var isOver = false
    private let heard: @MainActor (Event) -> Void

    /// Where it lies: beside this program, or where `make diary-install` puts it; `nil` where it is not installed. The
    /// variable PATH is not asked, which others may have written.
    static let place: URL? = {
        guard let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else { return nil }
        let folder = URL(fileURLWithPath: own).deletingLastPathComponent()
        let places = [folder, folder.appendingPathComponent("../libexec/sleep-diary")]
        return places.map { $0.appendingPathComponent("document-window").standardized }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    /// Opens the window.
    ///
    /// - Parameters:
    ///   - page: HTML of `DocumentPage`.
    ///   - title: What everybody may read who sees the names of windows.
    ///   - heard: Hears what becomes of it, its end last; nothing once this value is let go.
    init(_ page: [UInt8], title: String, _ heard: @escaping @MainActor (Event) -> Void) throws {
        self.heard = heard
        guard let place = Self.place else { throw CocoaError(.fileNoSuchFile) }
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = place
        process.arguments = ["page.html"]
        process.environment = Self.environment(title)
        process.standardInput = input
        process.standardOutput = output
        process.terminationHandler = { [weak self] process in
            let wasShown = process.terminationReason == .uncaughtSignal || process.terminationStatus == 0
            Task { @MainActor in self?.ended(wasShown) }
        }
        output.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let said = handle.availableData
            guard let last = said.last(where: { $0 != 0x0A }) else {
                if said.isEmpty { handle.readabilityHandler = nil }
                return
            }
            // Of several lines the last one holds: + for active, - for inactive.
            Task { @MainActor in self?.turned(isActive: last == UInt8(ascii: "+")) }
        }
        try process.run()
        // A page may be longer than a pipe: whoever draws does not wait for the reader.
        DispatchQueue.global().async {
            try? input.fileHandleForWriting.write(contentsOf: Data(page))
            try? input.fileHandleForWriting.close()
        }
    }

    private func turned(isActive: Bool) {
        if !isOver { heard(isActive ? .active : .inactive) }
    }

    private func ended(_ wasShown: Bool) {
        isOver = true
        // What this app closed itself is no failure.
        heard(.ended(wasShown: wasShown || isClosed))
    }

    /// Takes the window away.
    func close() {
        isClosed = true
        if process.isRunning { process.terminate() }
    }

    // The desktop's variables, and none of the diary's.
    private static func environment(_ title: String) -> [String: String] {
        let names = [
            "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "XDG_DATA_DIRS", "HOME", "PATH", "LANG",
            "LANGUAGE", "LC_ALL", "DBUS_SESSION_BUS_ADDRESS", "GSK_RENDERER",
        ]
        let all = ProcessInfo.processInfo.environment
        let kept = Dictionary(uniqueKeysWithValues: names.compactMap { name in all[name].map { (name, $0) } })
        return kept.merging(["DOCUMENT_TITLE": title]) { $1 }
    }
}
