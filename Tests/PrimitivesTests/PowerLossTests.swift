import Foundation
import PavisePrimitives
import TestSupport
import Testing

/// What the durable files promise is on the disk when they say so (RV principle "durable before visible").
@Suite struct PowerLossTests {
    let folder: TemporaryFolder
    private var base: String { folder.path + "/base" }

    init() throws {
        folder = try TemporaryFolder()
        try DurableFile.makeDirectory(base + "/deep")
        try DurableFile.write(Array("old".utf8), to: base + "/a")
        try DurableFile.write(Array("inside".utf8), to: base + "/deep/b")
    }

    /// What a program does with the durable files, and what may stand at `/a` afterwards.
    enum Work: String, CaseIterable, Sendable {
        case write, writeUnlessPresent, stream, partial, remove, moveFile, moveFolder, makeFolders, removeFolder

        func run(_ base: String) throws {
            let new = Array("new".utf8)
            switch self {
            case .write: try DurableFile.write(new, to: base + "/a")
            case .writeUnlessPresent: try DurableFile.writeUnlessPresent(new, to: base + "/c")
            case .stream:
                var stream = try DurableFile.Stream.open(base + "/a")
                try stream.write(new)
                try stream.finish()
            case .partial:
                var file = try PartialFile.open(base + "/a.partial")
                try file.append(new)
                try file.finish(as: base + "/a")
            case .remove: try DurableFile.remove(base + "/a")
            case .moveFile: try DurableFile.move(base + "/deep/b", to: base + "/c")
            case .moveFolder: try DurableFile.move(base + "/deep", to: base + "/elsewhere")
            case .makeFolders: try DurableFile.makeDirectory(base + "/x/y/z")
            case .removeFolder: try Folder.remove(base + "/deep")
            }
        }
    }

    private func visible() throws -> [String: [UInt8]?] {
        var found: [String: [UInt8]?] = [:]
        try collect("", &found)
        return found
    }

    private func collect(_ path: String, _ found: inout [String: [UInt8]?]) throws {
        for entry in try Folder.entries(of: base + path) {
            let place = path + "/" + entry.name
            let isFolder = entry.kind == .folder
            found[place] = .some(isFolder ? nil : Array(try Data(contentsOf: URL(fileURLWithPath: base + place))))
            if isFolder { try collect(place, &found) }
        }
    }

    @Test(
        "UC-170, UC-171, UC-172, UC-173, UC-185: when a change returns, it is on the disk",
        arguments: Work.allCases)
    func settled(_ work: Work) throws {
        let model = try PowerLossModel(base)
        try model.follow { try work.run(base) }
        let now = try visible()
        #expect(!model.moments.isEmpty)
        for world in PowerLossModel.World.allCases {
            let kept = PowerLossModel.content(model.now, world)
            for (path, bytes) in now { #expect(kept[path] == .some(bytes), "\(world) \(path)") }
            // What nobody finished may come back.
            for path in kept.keys where now[path] == nil && !path.hasSuffix(".new") {
                Issue.record("\(world): \(path) is back")
            }
        }
    }

    @Test(
        "UC-170: a loss of power after any step leaves the old content or the new one, whole", arguments: Work.allCases)
    func whole(_ work: Work) throws {
        let before = try visible()
        let model = try PowerLossModel(base)
        try model.follow { try work.run(base) }
        let after = try visible()
        for moment in model.moments {
            for world in PowerLossModel.World.allCases {
                let kept = PowerLossModel.content(moment, world)
                for name in ["/a", "/c", "/deep/b", "/elsewhere/b"] {
                    guard let found = kept[name] else { continue }
                    let place = "\(String(describing: moment.step)) \(world) \(name)"
                    #expect(found == before[name] || found == after[name], "\(place)")
                }
            }
        }
    }

    @Test(
        "a step that fails leaves the old content, and says which error it was",
        arguments: [FileStep.Call.create, .write, .synchronise, .rename], [EIO, ENOSPC, ESTALE, EACCES, ENOMEM])
    func failing(_ call: FileStep.Call, _ code: Int32) throws {
        let before = try visible()
        let observer = FileObserver(failure: { $0.call == call ? code : nil })
        #expect {
            try FileObserver.$current.withValue(observer) {
                try DurableFile.write([9], to: base + "/a")
            }
        } throws: {
            ($0 as? SystemFailure)?.code == code
        }
        #expect(try visible() == before)
    }
}
