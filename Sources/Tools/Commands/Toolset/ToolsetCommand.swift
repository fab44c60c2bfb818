internal import Foundation
internal import PaviseArguments
internal import PavisePrimitives

/// `pavise toolset`: the door for packages that nobody may edit.
enum ToolsetCommand {
    private static let output = Option(
        "output", letter: "o", value: "FILE", help: "Where to write the toolset; pavise.json without it.")
    private static let folder = Option(
        "library", value: "FOLDER", help: "The folder that “make toolset” filled; found beside the program without it.")
    private static let urlSession = Flag(
        "urlsession",
        help: "Let the package's URLSession, its delegates and its default configuration go through Pavise.")
    private static let largestFile = 65_536

    static let action = Action(
        Command(
            "toolset", abstract: "Let an untouched Swift package import Security.",
            discussion: """
                Writes a SwiftPM toolset. With it a package that was written for Apple's systems, and imports Security \
                or only Foundation, builds and runs over this keychain; no file of the package changes. The names are \
                visible to every package of that build.

                With --urlsession, URLSession.shared and the configurations .default and .ephemeral go through \
                Pavise: App Transport Security and pins of the program's Info.plist hold, and delegates that \
                pin are asked, with a completion handler or async. Download tasks do not work then.

                “make toolset” in the source of Pavise builds the library that the toolset names. It fits the compiler \
                that built it. Build the package anew after the library has changed.
                """,
            parameters: [output, folder, urlSession, Shared.json],
            examples: [
                .init("pavise toolset", "Write pavise.json in this folder."),
                .init("swift test --toolset pavise.json", "Test the package in this folder with it."),
            ])
    ) { invocation, environment in
        let library = try library(invocation[folder])
        let path = URL(fileURLWithPath: invocation[output] ?? "pavise.json").standardizedFileURL.path
        try check(path)
        let carriesURLSession = invocation[urlSession]
        guard !carriesURLSession || library.hasURLSession else {
            throw CommandFailure(.failed, "The library has no URLSession. Run “make toolset” again.")
        }
        let text = Array((Toolset(library, carriesURLSession: carriesURLSession).data.prettyText + "\n").utf8)
        try DurableFile.write(text.span, to: path)
        let report = Report(data: .fields(["toolset": .string(path), "library": .string(library.path)]))
            .adding(.success("Wrote \(path)."))
            .adding(.line("Test a package with it: swift test --toolset \(path)"))
        try environment.show(report, for: invocation)
    }

    private static func library(_ folder: String?) throws(CommandFailure) -> ToolsetLibrary {
        if let folder {
            guard let library = ToolsetLibrary(at: folder) else {
                throw CommandFailure(
                    .failed, "“\(Printable.text(folder))” does not hold the library. “make toolset” builds it.")
            }
            return library
        }
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        guard let library = program.flatMap(ToolsetLibrary.beside) else {
            throw CommandFailure(
                .failed,
                "The library is not there yet. Run “make toolset” in the source, or name its folder with --library.")
        }
        return library
    }

    // A file of somebody else's stays.
    private static func check(_ path: String) throws {
        guard let bytes = try InputFile.readIfPresent(path, limit: largestFile) else { return }
        guard (try? JSONValue.parse(bytes))?["schemaVersion"] != nil else {
            throw CommandFailure(
                .failed,
                "“\(Printable.text(path))” exists and is no toolset. It was not changed; choose another --output.")
        }
    }
}
