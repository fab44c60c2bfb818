internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A program that reads bytes of anybody and writes other bytes, and can do nothing else: a converter whose mistakes
/// must not matter.
///
/// It has no network, starts no program, opens no file but its own libraries and fonts, writes none, and gains no
/// right. The kernel holds it, by every one of the ``Layers`` that the machine has:
///
/// | layer | network | other processes, the user's keys | files |
/// |---|---|---|---|
/// | seccomp filter: an allow-list of calls that compute, read and write | none | none | writes none |
/// | Landlock | - | - | reads what it needs |
/// | namespaces of its own: user, mount, process, network, IPC | an empty one | keys are left | has what it needs |
///
/// So it takes the filter, and Landlock or namespaces. A filter alone cannot do it: the program opens its libraries
/// and fonts by itself, and a filter does not see which file a call names. Nor can namespaces without a filter: the
/// kernel's keyring belongs to the user's number, in every namespace.
///
/// None of that is taken for granted. The child tries, before the program and with it the first byte of the input, and
/// starts nothing where one of the ``Gap``s is left.
package enum ConfinedProcess {
    /// What confines a program. Whoever gives less than ``all`` is a test.
    package struct Layers: OptionSet, Hashable, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// A filter of system calls (seccomp(2)).
        package static let filter = Layers(rawValue: UInt32(pavise_filter))
        /// The files that it may read (landlock(7)).
        package static let landlock = Layers(rawValue: UInt32(pavise_landlock))
        /// Namespaces of its own, with a root that has what it may read, and nothing else (namespaces(7)).
        package static let namespaces = Layers(rawValue: UInt32(pavise_namespaces))
        /// No right that is gained by starting a file (PR_SET_NO_NEW_PRIVS).
        package static let noNewRights = Layers(rawValue: UInt32(pavise_no_rights))

        package static let all: Layers = [.filter, .landlock, .namespaces, .noNewRights]

        /// What this machine's kernel offers. That a layer holds is another question, which each child asks. Blocks
        /// for a moment.
        package static var offered: Layers { Layers(rawValue: pavise_confinement()) }
    }

    /// What a program could still do, in spite of all layers.
    package enum Gap: UInt32, CaseIterable, Sendable {
        /// Make a socket.
        case network = 1
        /// Open a file that it does not need, or nothing could be opened before, so that it is not proved.
        case files = 2
        /// Send a signal, or reach a keyring of the user.
        case processes = 4
        /// Gain rights by a file that it starts.
        case rights = 8
    }

    /// How much it may use.
    package struct Bounds: Sendable {
        /// Bytes of address space.
        package var memory: UInt64 = 1 << 30
        /// Seconds of processor time.
        package var seconds: UInt64 = 30
        /// Milliseconds until it must have ended.
        package var milliseconds: Int64 = 60_000
        /// Bytes that it may write.
        package var output = 64 << 20

        package init() {}
    }

    /// Why there is no result.
    package enum Failure: Error, Equatable, Sendable {
        /// This machine cannot confine a program: this is what was left to it. None: it did not come to try.
        case notConfined(Set<Gap>)
        /// The program is not there, or not the system's own file.
        case missing
        /// It ended with this status, or by a signal (-1).
        case ended(Int32)
        /// It wrote too much, or took too long.
        case outOfBounds
        /// It took more processor time than it may, or more memory than the machine has: the kernel killed it.
        case outOfWork
        /// The kernel refused something: memory, descriptors.
        case system(Int32)
    }

    /// What a program needs of a system to run: libraries, and the fonts of those that draw.
    private static let readable = [
        "/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/fonts", "/var/cache/fontconfig", "/dev/null",
    ]

    /// Whether the kernel offers enough to confine a program. What counts is what the child finds.
    package static var isOffered: Bool {
        let offered = Layers.offered
        return offered.contains(.filter) && !offered.isDisjoint(with: [.landlock, .namespaces])
    }

    /// Runs `program`, an absolute path to a file that only the system's administrator can change, over `input`, and
    /// gives what it writes to its standard output. Blocks until it has ended.
    package static func run(
        _ program: String, _ arguments: [String], input: [UInt8], bounds: Bounds = Bounds(), layers: Layers = .all
    ) throws(Failure) -> [UInt8] {
        let output = try begin(program, arguments, input: input, bounds: bounds, layers: layers)
        guard !output.isCut else { throw .outOfBounds }
        return output.bytes
    }

    /// As ``run(_:_:input:bounds:)``, for an output that is of use without its end: a program that writes more than it
    /// may is ended, and what it wrote until then is given back.
    package static func begin(
        _ program: String, _ arguments: [String], input: [UInt8], bounds: Bounds = Bounds(), layers: Layers = .all
    ) throws(Failure) -> (bytes: [UInt8], isCut: Bool) {
        guard let facts = try? FileFacts(of: program), facts.isRegular, facts.owner == 0, !facts.isOpenToOthers else {
            throw .missing
        }
        let file = unsafe input.withUnsafeBytes { unsafe pavise_memory_file($0.baseAddress, $0.count) }
        guard file >= 0 else { throw .system(-file) }
        defer { _ = close(file) }
        var pair: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, streamType, 0, &pair) == 0 else { throw .system(errno) }
        #if !canImport(Glibc)
        for descriptor in pair { _ = pavise_fcntl_int(descriptor, F_SETFD, FD_CLOEXEC) }
        #endif
        let stream = TCPStream(owning: pair[0])
        let root = layers.contains(.namespaces) ? makeRoot() : [0]
        // When the program has ended: what is removed of it is gone for the program too.
        defer { removeRoot(root) }
        let child = start(program, arguments, file, pair[1], bounds, layers, root)
        _ = close(pair[1])
        guard child > 0 else { throw .system(-child) }
        let end = ContinuousClock.now + .milliseconds(bounds.milliseconds)
        let result = gather(stream, end, bounds)
        let isCut = if case .success(let output) = result { output.isCut } else { false }
        if case .failure = result { _ = kill(child, SIGKILL) }
        if isCut { _ = kill(child, SIGKILL) }
        let status = try lastStatus(of: child, by: end)
        let output = try result.get()
        guard !isCut else { return output }
        // The limit of processor time is the last one at once (setrlimit(2)), and we have killed nothing here.
        guard status & 0x7F != SIGKILL else { throw .outOfWork }
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
        let left = UInt32(bitPattern: code) ^ UInt32(pavise_not_confined)
        guard left >= 16 else { throw .notConfined(Set(Gap.allCases.filter { left & $0.rawValue != 0 })) }
        guard code == 0 else { throw .ended(code) }
        return output
    }

    /// Waits for the program's end. One that has closed its output and goes on, asleep, is ended in time as well.
    private static func lastStatus(of child: Int32, by end: ContinuousClock.Instant) throws(Failure) -> Int32 {
        var status: Int32 = 0
        var isLate = false
        while true {
            let found = unsafe waitpid(child, &status, isLate ? 0 : WNOHANG)
            if found == child { break }
            guard found == 0 || errno == EINTR else { throw .system(errno) }
            if ContinuousClock.now < end {
                usleep(1_000)
            } else if !isLate {
                _ = kill(child, SIGKILL)
                isLate = true
            }
        }
        guard !isLate else { throw .outOfBounds }
        return status
    }

    private static func gather(
        _ stream: borrowing TCPStream, _ end: ContinuousClock.Instant, _ bounds: Bounds
    ) -> Result<(bytes: [UInt8], isCut: Bool), Failure> {
        var output: [UInt8] = []
        while true {
            let left = (end - .now).milliseconds
            guard left > 0 else { return .failure(.outOfBounds) }
            do throws(SystemFailure) {
                let more = try stream.read(upTo: 1 << 16, within: Int32(clamping: left))
                guard !more.isEmpty else { return .success((output, false)) }
                output += more
            } catch {
                return .failure(error.code == ETIMEDOUT ? .outOfBounds : .system(error.code))
            }
            guard output.count <= bounds.output else {
                output.removeLast(output.count - bounds.output)
                return .success((output, true))
            }
        }
    }

    private static func start(
        _ program: String, _ arguments: [String], _ input: Int32, _ output: Int32, _ bounds: Bounds, _ layers: Layers,
        _ root: [CChar]
    ) -> Int32 {
        var words = unsafe ([program] + arguments).map { unsafe strdup($0) }
        unsafe words.append(nil)
        defer { for index in unsafe words.indices { unsafe free(words[index]) } }
        return unsafe withPlaces { places in
            unsafe pavise_start_confined(
                words[0], words, places, root, input, output,
                pavise_bounds(memory: bounds.memory, seconds: bounds.seconds), layers.rawValue)
        }
    }

    /// The name of an empty folder that can become the program's root, or an empty name: then there is none, and the
    /// child finds out whether it is confined without.
    private static func makeRoot() -> [CChar] {
        var root = [CChar](repeating: 0, count: Int(pavise_root_room))
        _ = unsafe withPlaces { places in unsafe pavise_make_root(&root, places) }
        return root
    }

    private static func removeRoot(_ root: [CChar]) {
        unsafe withPlaces { places in unsafe pavise_remove_root(root, places) }
    }

    private static func withPlaces<Result>(_ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result) -> Result {
        let wanted = readable
        var places = unsafe wanted.map { unsafe UnsafePointer(strdup($0)) }
        unsafe places.append(nil)
        defer { for index in unsafe places.indices { unsafe free(UnsafeMutablePointer(mutating: places[index])) } }
        return unsafe body(places)
    }

    #if canImport(Glibc)
    // From the first moment: another thread may start a program between two calls.
    private static var streamType: Int32 { Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) }
    #else
    private static var streamType: Int32 { SOCK_STREAM }
    #endif
}
