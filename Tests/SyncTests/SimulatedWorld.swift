import PaviseSync
import Synchronization

/// A folder, a server and a journal in memory, with persons on both sides and a random source for all that happens
/// (sync/SY20).
final class SimulatedWorld: Sendable {
    enum Node: Equatable {
        case folder(identity: Int), file(bytes: [UInt8], modified: Int64, change: Int64, identity: Int)
    }

    struct State {
        var disks: [SyncSide: [String: Node]] = [.here: [:], .there: [:]]
        var random: SeededRandom
        var counter: Int64 = 0
        var isDead = false
        var isQuiet = false
        var hasIdentities = false
        var namesVersions = true
        var hasWeakTags = false
        /// A listing that is made while others write may miss a file.
        var hasLateListings = false
        /// Contents that nobody has deliberately replaced or deleted.
        var live: Set<[UInt8]> = []
        var trace: [String] = []
        var records = SyncRecords()
        var kept: [ContentDigest: [UInt8]] = [:]
        /// What a damaged file was, by its identity: who then writes or deletes it, replaces that.
        var damaged: [Int: [UInt8]] = [:]
        /// What a loss of power may bring back: folder and journal since each last waited for the disk, the newest
        /// last.
        var olderFolders: [[String: Node]] = [[:]]
        var olderJournals = [Journal()]
        var losesPower = false
        /// A step that does not wait for the disk: a fault that has to be noticed.
        var forgotten: DurableStep?
        /// What the engine did too early.
        var wrong: [String] = []
    }

    let state: Mutex<State>

    init(seed: UInt64, hasLateListings: Bool = false, losesPower: Bool = false, forgetting step: DurableStep? = nil) {
        var random = SeededRandom(seed)
        let (identities, versions, weak) = (random.chance(2), !random.chance(3), random.chance(4))
        var made = State(random: random)
        (made.hasIdentities, made.namesVersions, made.hasWeakTags) = (identities, versions, weak)
        (made.hasLateListings, made.losesPower, made.forgotten) = (hasLateListings, losesPower, step)
        state = Mutex(made)
    }

    /// One call of the engine: others act before it, it may not arrive, and its answer may be lost.
    func call<Result: Sendable>(
        _ name: String, waitsFor step: DurableStep? = nil, _ body: (inout State) throws(SyncFailure) -> Result
    ) throws(SyncFailure) -> Result {
        try state.withLock { state throws(SyncFailure) in
            state.trace.append(name)
            if state.isDead { throw .unreachable("killed") }
            // Where the power is lost, more runs come to their end.
            let rarity = state.losesPower ? 3 : 1
            if !state.isQuiet {
                if state.random.chance(8) { state.personActs() }
                if state.random.chance(40 * rarity) { state.isDead = true }
                if state.isDead || state.random.chance(25 * rarity) { throw .unreachable("not sent") }
            }
            let result = try body(&state)
            state.noteChange(step)
            if !state.isQuiet {
                if state.random.chance(40 * rarity) { state.isDead = true }
                if state.isDead || state.random.chance(25 * rarity) { throw .unreachable("no answer") }
            }
            state.settle(step)
            return result
        }
    }
}

extension SimulatedWorld {
    /// Takes what a look says of items that are as both sides agreed on, without a fault: where it is lost, they are
    /// read once more.
    func takeSeen(_ changes: [SyncChange]) throws(SyncFailure) -> Bool {
        try state.withLock { state throws(SyncFailure) in
            guard changes.allSatisfy({ state.isOnlySeen($0) }) else { return false }
            if state.isDead { throw .unreachable("killed") }
            for change in changes { state.records.apply(change) }
            return true
        }
    }
}

extension SimulatedWorld.State {
    fileprivate func isOnlySeen(_ change: SyncChange) -> Bool {
        guard case .base(let id, let record) = change, let old = records.base[id], var new = record else {
            return false
        }
        (new.status, new.version) = (old.status, old.version)
        return new == old
    }

    private static let names = ["a", "b", "c.txt", "d"]

    mutating func personActs() {
        let side: SyncSide = random.chance(2) ? .here : .there
        var disk = disks[side] ?? [:]
        let paths = disk.keys.sorted()
        let folders = [""] + paths.filter { if case .folder = disk[$0] { true } else { false } }
        let folder = folders[random.below(folders.count)]
        let target = (folder.isEmpty ? "" : folder + "/") + Self.names[random.below(Self.names.count)]
        let path = paths.isEmpty ? nil : paths[random.below(paths.count)]
        counter += 1
        let act = random.below(7)
        trace.append("person \(side) \(act) \(path ?? "-") \(target) \(counter)")
        switch act {
        case 0, 1:
            if case .folder = disk[target] { return }
            write(target, &disk)
        case 2: if disk[target] == nil { disk[target] = .folder(identity: Int(counter)) }
        case 3: if let path, case .file = disk[path] { write(path, &disk) }
        case 4: if let path, disk.count > 2 { remove(path, &disk) }
        case 5 where side == .here: damage(path, &disk)
        default: if let path { rename(path, target, &disk) }
        }
        disks[side] = disk
        if side == .here { olderFolders.append(disk) }
    }

    private mutating func write(_ path: String, _ disk: inout [String: SimulatedWorld.Node]) {
        var identity = Int(counter)
        if case .file(let old, _, _, let same) = disk[path] {
            supersede(old, same)
            identity = same
        }
        let bytes = Array("content \(counter)".utf8)
        live.insert(bytes)
        disk[path] = .file(bytes: bytes, modified: counter, change: counter, identity: identity)
    }

    private mutating func supersede(_ bytes: [UInt8], _ identity: Int) {
        live.remove(bytes)
        if bytes == [0, 0], let old = damaged[identity] { live.remove(old) }
    }

    private mutating func remove(_ path: String, _ disk: inout [String: SimulatedWorld.Node]) {
        for (other, node) in disk where other == path || other.hasPrefix(path + "/") {
            if case .file(let bytes, _, _, let identity) = node { supersede(bytes, identity) }
            disk[other] = nil
        }
    }

    private mutating func rename(_ path: String, _ target: String, _ disk: inout [String: SimulatedWorld.Node]) {
        guard disk[target] == nil, !target.hasPrefix(path + "/"), !path.contains(".pavise-") else { return }
        for (other, node) in disk where other == path || other.hasPrefix(path + "/") {
            disk[other] = nil
            disk[target + other.dropFirst(path.count)] = node
        }
    }

    // What a power cut does to a file that was agreed on: zeros, with the old time.
    private mutating func damage(_ path: String?, _ disk: inout [String: SimulatedWorld.Node]) {
        guard let path, case .file(let bytes, let modified, _, let identity) = disk[path] else { return }
        let isSafe = (disks[.there] ?? [:]).values.contains {
            if case .file(bytes, _, _, _) = $0 { true } else { false }
        }
        let digest = ContentDigest(of: bytes)
        guard isSafe,
            durableRecords.base.values.contains(where: { $0.status?.modified == modified && $0.item.digest == digest })
        else { return }
        damaged[identity] = bytes
        disk[path] = .file(bytes: [0, 0], modified: modified, change: counter, identity: identity)
    }

    func text(_ path: SyncPath) -> String { path.map(\.text).joined(separator: "/") }

    func version(_ bytes: [UInt8], _ change: Int64) -> RemoteVersion {
        RemoteVersion(validator: (hasWeakTags ? "W/" : "") + "\"\(change)\"", size: bytes.count)
    }

    func file(_ path: SyncPath, _ side: SyncSide) -> (bytes: [UInt8], modified: Int64, change: Int64, identity: Int)? {
        guard case .file(let bytes, let modified, let change, let identity) = disks[side]?[text(path)] else {
            return nil
        }
        return (bytes, modified, change, identity)
    }

    // What lies below a file is nowhere, as on a disk.
    private func isFolder(_ path: String, _ disk: [String: SimulatedWorld.Node]) -> Bool {
        if path.isEmpty { return true }
        return if case .folder = disk[path] { true } else { false }
    }

    mutating func put(_ bytes: [UInt8], _ path: SyncPath, _ side: SyncSide) throws(SyncFailure) {
        let folder = SyncPath(path.dropLast())
        guard isFolder(text(folder), disks[side] ?? [:]) else { throw .changed }
        counter += 1
        let (name, identity) = (text(path), file(path, side)?.identity ?? Int(counter))
        disks[side]?[name] = .file(bytes: bytes, modified: counter, change: counter, identity: identity)
    }

    mutating func relocate(_ path: SyncPath, _ target: SyncPath, _ side: SyncSide) throws(SyncFailure) {
        var disk = disks[side] ?? [:]
        let (from, goal) = (text(path), text(target))
        let folder = text(target.dropLast())
        guard disk[from] != nil, disk[goal] == nil, isFolder(folder, disk) else { throw .changed }
        for (other, node) in disk where other == from || other.hasPrefix(from + "/") {
            disk[other] = nil
            disk[goal + other.dropFirst(from.count)] = node
        }
        disks[side] = disk
    }

    mutating func erase(_ path: SyncPath, _ side: SyncSide) throws(SyncFailure) {
        let name = text(path)
        guard disks[side]?.keys.contains(where: { $0.hasPrefix(name + "/") }) == false else { throw .changed }
        disks[side]?[name] = nil
    }

    mutating func makeFolder(_ path: SyncPath, _ side: SyncSide) throws(SyncFailure) {
        let folder = text(path.dropLast())
        guard isFolder(folder, disks[side] ?? [:]) else { throw .changed }
        switch disks[side]?[text(path)] {
        case .folder: return
        case .file: throw .changed
        case nil: break
        }
        counter += 1
        let name = text(path)
        disks[side]?[name] = .folder(identity: Int(counter))
    }
}

/// A path of a listing.
func parts(_ text: String) -> SyncPath { text.split(separator: "/").map { SyncItemName(String($0))! } }
