internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The start of another program. It inherits three streams and nothing else that is open: libraries and the app open
/// descriptors of their own, not all of them to be closed at the start of a program.
enum ProgramStart {
    /// What one of the child's streams is.
    enum Stream {
        /// This process's own.
        case inherited
        /// What this process has open under another number.
        case descriptor(Int32)
        /// Nobody sees what is written there.
        case discarded
    }

    /// Starts `program`: a path, or a name to look up in PATH.
    ///
    /// - Parameters:
    ///   - streams: Standard input, output and error.
    ///   - environment: All variables that it gets; `nil` gives it this process's own.
    /// - Returns: The child, which the caller waits for.
    static func spawn(
        _ program: String, _ arguments: [String], streams: [Stream], environment: [String: String]? = nil
    ) throws(SystemFailure) -> pid_t {
        #if canImport(Glibc)
        var actions = unsafe posix_spawn_file_actions_t()
        #else
        var actions: posix_spawn_file_actions_t?
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (target, stream) in zip(Int32(0)..., streams) {
            switch stream {
            case .inherited: break
            case .descriptor(let number): unsafe posix_spawn_file_actions_adddup2(&actions, number, target)
            case .discarded: unsafe posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_WRONLY, 0)
            }
        }
        var words: [UnsafeMutablePointer<CChar>?] = unsafe []
        for word in [program] + arguments { unsafe words.append(strdup(word)) }
        unsafe words.append(nil)
        defer { for index in unsafe words.indices { unsafe free(words[index]) } }
        var variables: [UnsafeMutablePointer<CChar>?] = unsafe []
        for (name, value) in environment ?? [:] { unsafe variables.append(strdup("\(name)=\(value)")) }
        unsafe variables.append(nil)
        defer { for index in unsafe variables.indices { unsafe free(variables[index]) } }
        var child: pid_t = 0
        #if canImport(Glibc)
        var code = unsafe pavise_spawn_closes_others(&actions)
        if code == 0, environment == nil {
            code = unsafe posix_spawnp(&child, program, &actions, nil, words, environ)
        } else if code == 0 {
            code = unsafe posix_spawnp(&child, program, &actions, nil, words, variables)
        }
        #else
        var attributes: posix_spawnattr_t?
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var code = unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_CLOEXEC_DEFAULT))
        for (target, stream) in zip(Int32(0)..., streams) where code == 0 {
            guard case .inherited = stream else { continue }
            code = unsafe posix_spawn_file_actions_addinherit_np(&actions, target)
        }
        if code == 0, environment == nil {
            code = unsafe posix_spawnp(&child, program, &actions, &attributes, words, environ)
        } else if code == 0 {
            code = unsafe posix_spawnp(&child, program, &actions, &attributes, words, variables)
        }
        #endif
        guard code == 0 else { throw SystemFailure(operation: "start", path: program, code: code) }
        return child
    }
}
