import Foundation
import PavisePrimitives
import PaviseTransport
import TestSupport
import Testing

@Suite struct `The Info.plist of a program` {
    private func write(_ text: String, _ path: String) throws {
        let folder = (path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    @Test func `lies beside it, its own resources first`() throws {
        let folder = try TemporaryFolder()
        let program = folder.path + "/bin/app"
        #expect(try InfoPropertyList.find(for: program) == nil)
        for (text, place) in [
            ("share", "/share/app.resources/Info.plist"), ("folder", "/bin/Info.plist"),
            ("own", "/bin/app.resources/Info.plist"),
        ] {
            try write(text, folder.path + place)
            #expect(try InfoPropertyList.find(for: program) == Array(text.utf8))
        }
    }

    @Test func `that cannot be read is an error, not a missing one`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/Info.plist", withIntermediateDirectories: true)
        #expect(throws: ATSReadingFailure.self) { try InfoPropertyList.find(for: folder.path + "/app") }
    }

    @Test func `of a program whose place is unknown is an error, too`() {
        #expect(throws: ATSReadingFailure.self) { try InfoPropertyList.find(for: nil) }
    }

    @Test func `is found after an update has put another program in the place of the one that runs`() throws {
        let folder = try TemporaryFolder()
        let program = folder.path + "/app"
        #expect(CurrentExecutable.path(in: program) == program)
        #expect(CurrentExecutable.path(in: program + " (deleted)") == program)
        try write("a file of this name", program + " (deleted)")
        #expect(CurrentExecutable.path(in: program + " (deleted)") == program + " (deleted)")
    }

    @Test func `of these tests does not exist`() throws { #expect(try InfoPropertyList.ofThisProgram() == nil) }
}
