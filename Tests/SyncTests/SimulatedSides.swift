import PaviseSync
import Synchronization

struct SimulatedFolder: SyncFolder {
    let world: SimulatedWorld

    func scan() async throws(SyncFailure) -> [FolderEntry] {
        try world.call("scan") { state throws(SyncFailure) in
            (state.disks[.here] ?? [:]).sorted { $0.key < $1.key }.map { path, node in
                switch node {
                case .folder(let identity): FolderEntry(path: parts(path), status: nil, identity: "\(identity)")
                case .file(let bytes, let modified, let change, let identity):
                    FolderEntry(
                        path: parts(path), status: FileStatus(size: bytes.count, modified: modified, change: change),
                        identity: "\(identity)")
                }
            }
        }
    }

    func read(_ path: SyncPath) async throws(SyncFailure) -> FileContent {
        try world.call("read here \(path)") { state throws(SyncFailure) in
            guard let file = state.file(path, .here) else { throw .changed }
            return FileContent(
                SyncContent(file.bytes),
                status: FileStatus(size: file.bytes.count, modified: file.modified, change: file.change))
        }
    }

    func write(_ given: SyncContent, to path: SyncPath, replacing old: ContentDigest?) async throws(SyncFailure)
        -> WrittenFile
    {
        let content = try given.bytes()
        return try write(content, path, old)
    }

    private func write(_ content: [UInt8], _ path: SyncPath, _ old: ContentDigest?) throws(SyncFailure) -> WrittenFile {
        try world.call("write here \(path)", waitsFor: .change) { state throws(SyncFailure) in
            guard state.disks[.here]?[state.text(path)] == nil || old != nil,
                state.file(path, .here).map({ ContentDigest(of: $0.bytes) }) == old
            else { throw .changed }
            if let old { state.expectKept(old) }
            try state.put(content, path, .here)
            return WrittenFile(
                status: FileStatus(size: content.count, modified: state.counter, change: state.counter),
                identity: state.file(path, .here).map { "\($0.identity)" })
        }
    }

    func makeFolder(_ path: SyncPath) async throws(SyncFailure) {
        try world.call("folder here \(path)", waitsFor: .change) { state throws(SyncFailure) in
            try state.makeFolder(path, .here)
        }
    }

    func move(_ path: SyncPath, to target: SyncPath) async throws(SyncFailure) {
        try world.call("move here \(path) \(target)", waitsFor: .change) { state throws(SyncFailure) in
            try state.relocate(path, target, .here)
        }
    }

    func delete(_ path: SyncPath, expecting old: ContentDigest?) async throws(SyncFailure) {
        try world.call("delete here \(path)", waitsFor: .change) { state throws(SyncFailure) in
            guard state.file(path, .here).map({ ContentDigest(of: $0.bytes) }) == old else { throw .changed }
            if let old { state.expectKept(old) }
            try state.erase(path, .here)
        }
    }

    func makeDurable() async throws(SyncFailure) {
        // Without a loss of power nobody could tell, and the runs of known seeds stay what they are.
        guard world.state.withLock({ $0.losesPower }) else { return }
        try world.call("durable here", waitsFor: .folder) { _ in }
    }
}

/// A server whose conditions hold, with strong or weak tags, with or without a version in the answer to a write.
struct SimulatedRemote: SyncRemote {
    let world: SimulatedWorld
    var level: ServerLevel { .conditions }

    func list() async throws(SyncFailure) -> [RemoteEntry] {
        try world.call("list") { state throws(SyncFailure) in
            var listed = (state.disks[.there] ?? [:]).sorted { $0.key < $1.key }
            if state.hasLateListings, !state.isQuiet, !listed.isEmpty, state.random.chance(4) {
                let place = state.random.below(listed.count)
                if case .file = listed[place].value { listed.remove(at: place) }
            }
            return listed.map { path, node in
                switch node {
                case .folder(let number):
                    RemoteEntry(path: parts(path), version: nil, identity: state.hasIdentities ? "\(number)" : nil)
                case .file(let bytes, _, let change, let number):
                    RemoteEntry(
                        path: parts(path), version: state.version(bytes, change),
                        identity: state.hasIdentities ? "\(number)" : nil)
                }
            }
        }
    }

    func isThere(_ path: SyncPath) async throws(SyncFailure) -> Bool {
        guard world.state.withLock({ $0.hasLateListings }) else { return false }
        return try world.call("is there \(path)") { state throws(SyncFailure) in
            state.disks[.there]?[state.text(path)] != nil
        }
    }

    func read(_ path: SyncPath, into sink: ContentSink) async throws(SyncFailure) -> RemoteVersion {
        try world.call("read there \(path)") { state throws(SyncFailure) in
            guard let file = state.file(path, .there) else { throw .changed }
            let version = state.version(file.bytes, file.change)
            try sink.begin(version)
            try sink.append(file.bytes)
            return version
        }
    }

    private func put(_ path: SyncPath, _ content: [UInt8], _ old: RemoteVersion?) throws(SyncFailure) -> RemoteVersion?
    {
        try world.call("put there \(path) \(String(decoding: content, as: UTF8.self))") { state throws(SyncFailure) in
            guard state.disks[.there]?[state.text(path)] == nil || old != nil else { throw .changed }
            let found = state.file(path, .there)
            guard found.map({ state.version($0.bytes, $0.change) }) == old else { throw .changed }
            state.expectSent(old == nil ? .create : .replace, ContentDigest(of: content))
            state.expectKept(ContentDigest(of: content))
            if let found { state.expectKept(ContentDigest(of: found.bytes)) }
            try state.put(content, path, .there)
            return state.namesVersions ? state.version(content, state.counter) : nil
        }
    }

    func create(_ path: SyncPath, _ content: SyncContent) async throws(SyncFailure) -> RemoteVersion? {
        try put(path, content.bytes(), nil)
    }

    func replace(
        _ path: SyncPath, _ content: SyncContent, old: RemoteVersion
    ) async throws(SyncFailure) -> RemoteVersion? {
        try put(path, content.bytes(), old)
    }

    func makeFolder(_ path: SyncPath) async throws(SyncFailure) {
        try world.call("folder there \(path)") { state throws(SyncFailure) in try state.makeFolder(path, .there) }
    }

    func move(_ path: SyncPath, to target: SyncPath, old: RemoteVersion?) async throws(SyncFailure) {
        try world.call("move there \(path) \(target)") { state throws(SyncFailure) in
            guard state.file(path, .there).map({ state.version($0.bytes, $0.change) }) == old else { throw .changed }
            state.expectSent(.move)
            try state.relocate(path, target, .there)
        }
    }

    func delete(_ path: SyncPath, old: RemoteVersion?) async throws(SyncFailure) {
        try world.call("delete there \(path)") { state throws(SyncFailure) in
            let found = state.file(path, .there)
            guard found.map({ state.version($0.bytes, $0.change) }) == old else { throw .changed }
            if let found {
                state.expectSent(.delete, ContentDigest(of: found.bytes))
                state.expectKept(ContentDigest(of: found.bytes))
            }
            try state.erase(path, .there)
        }
    }
}

struct SimulatedJournal: SyncJournal {
    let world: SimulatedWorld

    func load() async throws(SyncFailure) -> SyncRecords { try world.call("load") { $0.records } }

    func commit(_ changes: [SyncChange]) async throws(SyncFailure) {
        var contents: [ContentDigest: [UInt8]] = [:]
        for case .keep(let content, _, _) in changes { contents[content.digest] = try content.bytes() }
        let kept = contents
        // The runs of known seeds stay what they are.
        if try world.takeSeen(changes) { return }
        try world.call("commit", waitsFor: .journal) { state throws(SyncFailure) in
            state.kept.merge(kept) { _, new in new }
            for change in changes { state.records.apply(change) }
        }
    }

    func keep(_ content: SyncContent, named: String, for reason: KeepReason) async throws(SyncFailure) {
        let bytes = try content.bytes()
        try world.call("keep", waitsFor: .journal) { state throws(SyncFailure) in state.kept[content.digest] = bytes }
    }

    func content(_ digest: ContentDigest) async throws(SyncFailure) -> SyncContent? {
        try world.call("kept") { $0.kept[digest].map(SyncContent.init) }
    }
}
