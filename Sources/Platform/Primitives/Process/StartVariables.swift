/// The variables with which this process was started, by name. The kernel tells them, so that a library that takes its
/// own variable out of the environment does not hide that it was there.
package enum StartVariables {
    /// Read once. `MemoryProtection.start()` reads it first: afterwards Linux refuses it to everybody but root.
    package static let names: Presence<Set<String>> = read()

    /// The names in what `/proc/self/environ` holds (proc_pid_environ(5)).
    // Byte by byte, as the loader reads it: with a combining letter behind it a “=” is another character.
    package static func names(in text: String) -> Set<String> {
        let names = text.utf8.split(separator: 0).compactMap { entry in
            entry.split(separator: UInt8(ascii: "="), maxSplits: 1).first
        }
        return Set(names.map { String(decoding: $0, as: UTF8.self) })
    }

    private static func read() -> Presence<Set<String>> {
        #if canImport(Darwin)
        return .absent
        #else
        do throws(SystemFailure) {
            let bytes = try InputFile.read("/proc/self/environ", limit: 4 << 20)
            return .present(names(in: String(decoding: bytes, as: UTF8.self)))
        } catch {
            return error.isNotThere ? .absent : .unknown(error)
        }
        #endif
    }
}
