package import PavisePrimitives

/// What the checks look at. A test gives its own; everything else is the machine.
package struct IntegritySurroundings: Sendable {
    /// Reads a small file of the kernel or the system.
    package var read: @Sendable (_ path: String) -> Presence<String>
    /// Whose a file is; links are themselves.
    package var facts: @Sendable (_ path: String) -> Presence<FileFacts>
    /// Whether a file could be opened for writing.
    package var probe: @Sendable (_ path: String) -> WriteProbe
    /// The value of a variable of the environment.
    package var variable: @Sendable (_ name: String) -> String?
    /// The names of the variables with which the process was started.
    package var startVariables: @Sendable () -> Presence<Set<String>>
    /// The code that the loader knows; `nil` where it does not tell.
    package var loaded: @Sendable () -> [LoadedCode.Range]?
    /// The path of the program's file.
    package var program: String?
    /// Whether the kernel raised the rights of the process.
    package var hasRaisedRights: Bool
    /// Whether the app kept its memory out of core files and out of reach of the user's other programs.
    package var isMemoryProtected = true
    /// The numbers of the threads of this process; `nil` where the system does not tell them.
    package var threads: @Sendable () -> [String]? = { [] }
    /// Beginnings of names under which the app maps code itself.
    package var expected: [String]

    package init(
        read: @escaping @Sendable (String) -> Presence<String>,
        facts: @escaping @Sendable (String) -> Presence<FileFacts>,
        probe: @escaping @Sendable (String) -> WriteProbe = { _ in .refused },
        variable: @escaping @Sendable (String) -> String? = { _ in nil },
        startVariables: @escaping @Sendable () -> Presence<Set<String>> = { .absent },
        loaded: @escaping @Sendable () -> [LoadedCode.Range]? = { nil }, program: String? = nil,
        hasRaisedRights: Bool = false, expected: [String] = []
    ) {
        self.read = read
        self.facts = facts
        self.probe = probe
        self.variable = variable
        self.startVariables = startVariables
        self.loaded = loaded
        self.program = program
        self.hasRaisedRights = hasRaisedRights
        self.expected = expected
    }

    /// The process and the machine.
    package static func current(expecting expected: [String] = []) -> IntegritySurroundings {
        var surroundings = IntegritySurroundings(
            read: { path in
                do throws(SystemFailure) {
                    return .present(String(decoding: try InputFile.read(path, limit: 4 << 20), as: UTF8.self))
                } catch {
                    return error.isNotThere ? .absent : .unknown(error)
                }
            },
            facts: DurableFile.presence(of:), probe: WriteProbe.ask, variable: PaviseHome.variable,
            startVariables: { StartVariables.names }, loaded: LoadedCode.ranges, program: CurrentExecutable.path,
            hasRaisedRights: LoadedCode.hasRaisedRights,
            expected: expected)
        surroundings.isMemoryProtected = MemoryProtection.isActive
        surroundings.threads = { try? Folder.names(in: "/proc/self/task") }
        return surroundings
    }

    // A name, or folder by folder a beginning of it: “/opt/app” is no beginning of “/opt/application”.
    func isExpected(_ name: String) -> Bool {
        expected.contains { name == $0 || name.hasPrefix($0.hasSuffix("/") || $0.hasPrefix("/memfd:") ? $0 : $0 + "/") }
    }
}
