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
