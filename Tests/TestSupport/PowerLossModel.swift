internal import Foundation
package import PavisePrimitives
internal import Synchronization

/// What a loss of power leaves of a folder that the durable files write to.
///
/// The model hears of each step and keeps two pictures of the folder: the one that running programs see, and the one on
/// the disk. A file's bytes reach the disk when the file is synchronised, names when their folder is.
package final class PowerLossModel: Sendable {
    /// What a disk may have kept.
    package enum World: Hashable, Sendable, CaseIterable {
        /// Only what was waited for.
        case onlySynchronised
        /// All names, and of the bytes only those that were waited for: a journal of names does that.
        case namesWithoutBytes
    }

    /// A state of the folder after one step.
    package struct Moment: Sendable {
        /// The step; `nil` for a state that was asked for.
        package let step: FileStep?
        fileprivate let state: State
    }

    fileprivate struct Node {
        let isFolder: Bool
        var bytes: [UInt8] = []
        var visible: [String: Int] = [:]
        var durable: [String: Int] = [:]
    }

    fileprivate struct State {
        var nodes: [Node] = [Node(isFolder: true)]
        var moments: [Moment] = []
    }

    private let base: String
    private let state: Mutex<State>

    /// A model of `base` as it is now, all of it on the disk.
    package init(_ base: String) throws {
        self.base = base
        var start = State()
        try Self.load(base, 0, &start)
        state = Mutex(start)
    }

    /// Runs `body` and follows its steps.
    package func follow<Result>(_ body: () throws -> Result) rethrows -> Result {
        try FileObserver.$current.withValue(FileObserver(done: { self.take($0) })) { try body() }
    }

    /// Every step so far, and the folder after it.
    package var moments: [Moment] { state.withLock { $0.moments } }

    /// The folder as it is now.
    package var now: Moment {
        state.withLock { Moment(step: nil, state: $0) }
    }

    /// Makes the folder that a loss of power leaves at `path`.
    package static func build(_ moment: Moment, _ world: World, at path: String) throws {
        try build(0, moment.state, world, path)
    }

    /// The names and bytes that a loss of power leaves, by path; a folder has `nil`.
    package static func content(_ moment: Moment, _ world: World) -> [String: [UInt8]?] {
        var found: [String: [UInt8]?] = [:]
        collect(0, moment.state, world, "", &found)
        return found
    }

    private static func collect(
        _ number: Int, _ state: State, _ world: World, _ path: String, _ found: inout [String: [UInt8]?]
    ) {
        let node = state.nodes[number]
        for (name, child) in world == .onlySynchronised ? node.durable : node.visible {
            let place = path + "/" + name
            found[place] = .some(state.nodes[child].isFolder ? nil : state.nodes[child].bytes)
            collect(child, state, world, place, &found)
        }
    }

    private static func build(_ number: Int, _ state: State, _ world: World, _ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let node = state.nodes[number]
        for (name, child) in world == .onlySynchronised ? node.durable : node.visible {
            let place = path + "/" + name
            if state.nodes[child].isFolder {
                try build(child, state, world, place)
            } else {
                try Data(state.nodes[child].bytes).write(to: URL(fileURLWithPath: place))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place)
            }
        }
    }

    private static func load(_ path: String, _ number: Int, _ state: inout State) throws {
        for entry in try Folder.entries(of: path) where [.file, .folder].contains(entry.kind) {
            let child = state.nodes.count
            let place = path + "/" + entry.name
            state.nodes.append(Node(isFolder: entry.kind == .folder))
            state.nodes[number].visible[entry.name] = child
            state.nodes[number].durable[entry.name] = child
            if entry.kind == .folder {
                try load(place, child, &state)
            } else {
                state.nodes[child].bytes = Array(try Data(contentsOf: URL(fileURLWithPath: place)))
            }
        }
    }

    private func take(_ step: FileStep) {
        guard step.path.hasPrefix(base) else { return }
        state.withLock { state in
            change(&state, step)
            guard ![.look, .open, .read, .list].contains(step.call) else { return }
            var kept = state
            kept.moments = []
            state.moments.append(Moment(step: step, state: kept))
        }
    }

    private func change(_ state: inout State, _ step: FileStep) {
        switch step.call {
        // No durable file waits for all others.
        case .look, .open, .read, .list, .write, .synchroniseAll: break
        case .create: add(step.path, isFolder: false, &state)
        case .makeFolder: add(step.path, isFolder: true, &state)
        case .synchronise:
            guard let node = find(step.path, state), !state.nodes[node].isFolder else { return }
            state.nodes[node].bytes = Array((try? Data(contentsOf: URL(fileURLWithPath: step.path))) ?? Data())
        case .synchroniseFolder:
            guard let node = find(step.path, state) else { return }
            state.nodes[node].durable = state.nodes[node].visible
        case .remove, .removeFolder: name(step.path, nil, &state)
        case .rename:
            guard let target = step.target, let node = find(step.path, state) else { return }
            name(step.path, nil, &state)
            name(target, node, &state)
        case .link:
            guard let target = step.target, let node = find(step.path, state), find(target, state) == nil else {
                return
            }
            name(target, node, &state)
        }
    }

    // A folder that could not be made, because its parent is missing, is not there.
    private func add(_ path: String, isFolder: Bool, _ state: inout State) {
        guard find(path, state) == nil, FileManager.default.fileExists(atPath: path) else { return }
        state.nodes.append(Node(isFolder: isFolder))
        name(path, state.nodes.count - 1, &state)
    }

    private func name(_ path: String, _ node: Int?, _ state: inout State) {
        var parts = parts(path)
        guard let last = parts.popLast(), let parent = find(parts, state) else { return }
        state.nodes[parent].visible[last] = node
    }

    private func parts(_ path: String) -> [String] {
        path.dropFirst(base.count).split(separator: "/").map(String.init)
    }

    private func find(_ path: String, _ state: State) -> Int? { find(parts(path), state) }

    private func find(_ parts: [String], _ state: State) -> Int? {
        var node: Int? = 0
        for part in parts { node = node.flatMap { state.nodes[$0].visible[part] } }
        return node
    }
}
