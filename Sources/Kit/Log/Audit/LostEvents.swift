internal import PavisePrimitives

/// The count of events that could not be written, beside the trail and over the end of the process: one byte for each.
///
/// Appending a byte needs no key and no lock, which may be what is missing. Nothing seals the count: whoever may change
/// the files of the home can make it smaller or larger, and can also take the whole trail away.
struct LostEvents {
    let path: String

    /// What is being told in the trail. A kill before it is removed has it told twice, never not at all.
    private var told: String { path + ".told" }

    /// Enough to say “many”; the file never grows beyond it.
    static let limit = 1 << 16

    /// The count in `folder`.
    init(in folder: String) { path = folder + "/trail.lost" }

    /// Called when the file is open and nothing is written yet. A test lets somebody else take it there.
    @TaskLocal static var opened: (@Sendable () -> Void)?

    // More than takes that can come together: they are behind the trail's lock.
    private static let tries = 8

    /// Counts some more.
    ///
    /// - Returns: `false` where the disk does not take it either.
    func add(_ count: Int) -> Bool {
        do throws(SystemFailure) {
            for _ in 0..<Self.tries {
                if try addOnce(count) { return true }
            }
            return false
        } catch {
            return false
        }
    }

    // Whether the count is in the file that the next telling takes. One that was taken in between may be counted
    // already, or not: it is counted again, twice rather than never.
    private func addOnce(_ count: Int) throws(SystemFailure) -> Bool {
        let file = try AppendOnlyFile(path)
        Self.opened?()
        let before = try file.size()
        let room = max(0, Self.limit - before)
        if room > 0 { try file.append(Array(repeating: 0, count: min(count, room))) }
        try file.synchronise()
        if before == 0 { try DurableFile.synchroniseDirectory(of: path) }
        return file.isInPlace
    }

    /// How many there are.
    var count: Int { size(of: path) + size(of: told) }

    /// Takes them to be told; only behind the trail's lock.
    func take() throws(SystemFailure) -> Int {
        guard DurableFile.exists(path) else { return size(of: told) }
        guard DurableFile.exists(told) else {
            try DurableFile.move(path, to: told)
            return size(of: told)
        }
        // An earlier telling failed, and more was lost since.
        let file = try AppendOnlyFile(told)
        try file.append(Array(repeating: 0, count: size(of: path)))
        try file.synchronise()
        try DurableFile.remove(path)
        return size(of: told)
    }

    /// Forgets those that were taken: they stand in the trail now.
    func forget() throws(SystemFailure) {
        if DurableFile.exists(told) { try DurableFile.remove(told) }
    }

    private func size(of path: String) -> Int {
        guard DurableFile.exists(path) else { return 0 }
        do throws(SystemFailure) {
            let file = try AppendOnlyFile(path)
            return min(try file.size(), Self.limit)
        } catch {
            return 0
        }
    }
}
