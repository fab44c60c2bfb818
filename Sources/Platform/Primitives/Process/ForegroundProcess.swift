internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A program that works in this one's place: with the same streams, and in the same group of processes, so that what a
/// person types to stop one stops both.
///
/// It inherits nothing else that is open: a lock of a file, a server, a secret's memory file.
///
/// `Process` of Foundation begins a group for its child: Ctrl-C ends the parent, and the child goes on unseen.
package enum ForegroundProcess {
    /// Runs the program at `path`, and waits for its end.
    ///
    /// - Parameter environment: All variables that it gets.
    /// - Returns: Its exit status; `nil` when a signal ended it.
    package static func run(
        _ path: String, _ arguments: [String], environment: [String: String]
    ) throws(SystemFailure) -> Int32? {
        var words: [UnsafeMutablePointer<CChar>?] = unsafe []
        for word in [path] + arguments { unsafe words.append(strdup(word)) }
        unsafe words.append(nil)
        defer { for index in unsafe words.indices { unsafe free(words[index]) } }
        var variables: [UnsafeMutablePointer<CChar>?] = unsafe []
        for (name, value) in environment { unsafe variables.append(strdup("\(name)=\(value)")) }
        unsafe variables.append(nil)
        defer { for index in unsafe variables.indices { unsafe free(variables[index]) } }
        #if canImport(Glibc)
        var actions = unsafe posix_spawn_file_actions_t()
        #else
        var actions: posix_spawn_file_actions_t?
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        var child: pid_t = 0
        #if canImport(Glibc)
        var code = unsafe pavise_spawn_closes_others(&actions)
        if code == 0 { code = unsafe posix_spawn(&child, path, &actions, nil, words, variables) }
        #else
        var attributes: posix_spawnattr_t?
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var code = unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_CLOEXEC_DEFAULT))
        for stream in Int32(0)...2 where code == 0 {
            code = unsafe posix_spawn_file_actions_addinherit_np(&actions, stream)
        }
        if code == 0 { code = unsafe posix_spawn(&child, path, &actions, &attributes, words, variables) }
        #endif
        guard code == 0 else { throw SystemFailure(operation: "start", path: path, code: code) }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { throw SystemFailure(operation: "wait", path: path, code: errno) }
        }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }
}
