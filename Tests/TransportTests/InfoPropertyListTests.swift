import Foundation
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

    @Test func `of these tests does not exist`() throws { #expect(try InfoPropertyList.ofThisProgram() == nil) }
}
