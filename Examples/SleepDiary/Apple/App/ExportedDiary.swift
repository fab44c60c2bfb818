import Foundation
import SwiftUI
import UniformTypeIdentifiers

/// Everything of the diary on its way to a place that the person chose, in clear.
struct ExportedDiary: FileDocument {
    static var readableContentTypes: [UTType] { [.json] }
    let contents: Data

    init(contents: Data) { self.contents = contents }

    // The app reads no export.
    init(configuration: ReadConfiguration) throws { throw CocoaError(.fileReadUnsupportedScheme) }

    func fileWrapper(configuration: WriteConfiguration) throws -> FileWrapper {
        FileWrapper(regularFileWithContents: contents)
    }
}

/// What was erased, as the person may keep it: figures, and nothing of what they wrote.
struct SavedReceipt: FileDocument {
    static var readableContentTypes: [UTType] { [.plainText] }
    let text: String

    init(text: String) { self.text = text }

    // The app reads none.
    init(configuration: ReadConfiguration) throws { throw CocoaError(.fileReadUnsupportedScheme) }

    func fileWrapper(configuration: WriteConfiguration) throws -> FileWrapper {
        FileWrapper(regularFileWithContents: Data("\(text)\n".utf8))
    }
}
