// document-window NAME: shows the document that is piped in, in a window of its own, or not at all.
//
// A program of its own, without a key, a token or the app's data: what reads a stranger's document cannot give them
// away. The document is written anew as a page (PaviseDocuments), and all of ViewLayers stand around it; status 3 where
// one is missing or the document is refused. Where the system gives it one, it runs in a network of its own, in which
// there is nothing. Standard output says “+” when the window gets the keyboard and “-” when it loses it; where that is
// a pipe, the window goes with its reader. DOCUMENT_TITLE is the window's title in place of NAME.
import CWebKit
import Foundation
import PaviseDocuments
import PavisePrivacy

/// The view's policy: the page's own, and the sandbox that only a header or the view can ask for.
let policy = DocumentPage.sandboxedPolicy

func stop(_ status: Int32, _ words: String) -> Never {
    FileHandle.standardError.write(Data("document-window: \(words)\n".utf8))
    exit(status)
}

/// For the tests of the layers, in debug builds alone: which of them are left out, and whether the page is shown as it
/// came. What is read is told, with a marker that a search of a release must not find (Scripts/check-diary).
func debugging(_ name: String) -> String? {
    #if DEBUG
    guard let value = ProcessInfo.processInfo.environment[name] else { return nil }
    FileHandle.standardError.write(Data("document-window: \(name), by pavise-debug-switch:document-layers\n".utf8))
    return value
    #else
    nil
    #endif
}

@MainActor
enum DocumentWindow {
    // The callback of GTK has no place for it.
    private static var screen = ScreenMachine()

    static func turned(isActive: Bool) {
        for action in screen.handle(isActive ? .becameActive : .willResignActive) {
            switch action {
            case .cover: view_cover(1)
            case .uncover: view_cover(0)
            case .warnOfScreenshot, .clearClipboard, .withdrawNotices: break
            }
        }
    }

    static func layers() -> ViewLayers {
        var layers = ViewLayers()
        // The page is one of ours.
        layers.stands(.closedAlphabet)
        let stands = unsafe view_stands(policy)
        for (bit, layer) in [
            (view_policy, ViewLayers.Layer.contentSecurityPolicy), (view_policy, .sandbox), (view_scripts, .scriptsOff),
            (view_store, .temporaryStore), (view_rules, .ruleList), (view_navigation, .navigationRefused),
        ] where Int(stands) & Int(bit) != 0 { layers.stands(layer) }
        return layers
    }
}

let wanted = Int32(view_all | view_network) & ~(debugging("DOCUMENT_WITHOUT").flatMap { Int32($0) } ?? 0)
guard CommandLine.arguments.count == 2 else { stop(2, "Usage: document-window NAME < DOCUMENT") }
let name = CommandLine.arguments[1]
if Int(wanted) & Int(view_network) != 0, unsafe view_is_alone(name) == 0 {
    FileHandle.standardError.write(Data("document-window: The system gives it no network of its own.\n".utf8))
}
let limit = 64 << 20
guard let input = try? FileHandle.standardInput.read(upToCount: limit + 1), input.count <= limit else {
    stop(3, "The document is larger than 64 MiB, or there is none.")
}
let isRaw = debugging("DOCUMENT_RAW") != nil
let html: [UInt8]
if isRaw {
    html = [UInt8](input)
} else {
    do {
        let page = try DocumentPage([UInt8](input), named: name)
        // A page that somebody wrote anew already tells at its end what was left out: nothing more is to be said then.
        html = page.html(notice: !page.omissions.isEmpty || !page.links.isEmpty)
    } catch {
        stop(3, "Refused: \(error)")
    }
}
view_begin()
unsafe view_make(
    ProcessInfo.processInfo.environment["DOCUMENT_TITLE"] ?? name, policy, DocumentPage.blockingRules, "…", wanted)
let layers = DocumentWindow.layers()
guard layers.mayShow || isRaw else {
    stop(3, "Not shown: missing are \(layers.missing.map(\.rawValue).joined(separator: ", ")).")
}
view_on_active { isActive in
    MainActor.assumeIsolated { DocumentWindow.turned(isActive: isActive != 0) }
    try? FileHandle.standardOutput.write(contentsOf: Data((isActive != 0 ? "+\n" : "-\n").utf8))
}
view_follow_reader()
if debugging("DOCUMENT_UNCOVERED") != nil { view_cover(0) }
unsafe view_show(String(decoding: html, as: UTF8.self))
view_run()
