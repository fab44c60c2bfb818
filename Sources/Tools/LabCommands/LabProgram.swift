internal import Foundation
internal import PaviseArguments
package import PaviseCommands
internal import PavisePrimitives
internal import SecurityFramework

/// The program `pavise-lab`: servers, attacks and load, for tests and demonstrations on this machine alone. Nothing of
/// it is a part of the program `pavise`.
package enum LabProgram {
    /// Protects this process's memory, then runs the command that `words` (the program's name first) ask for.
    ///
    /// - Returns: The process's exit status: a ``ProgramStatus``.
    package static func start(_ words: [String]) async -> Int32 {
        var words = words
        let isLogging = ProgramLog.take(from: &words)
        return await Environment.start { [words] environment in
            environment.logEvents(isLogging)
            // Connections that `pavise` made are its items: who shares their sessions uses its name.
            return await SecurityEnvironment.$override.withValue(asPavise) {
                await run(Array(words.dropFirst()), in: environment).rawValue
            }
        }
    }

    /// Runs one command.
    package static func run(_ words: [String], in environment: Environment) async -> ProgramStatus {
        await commands.run(words, in: environment)
    }

    /// The help of the command at `path`.
    package static func help(for path: [String]) -> String { commands.help(for: path) }

    /// The paths of all commands, for tests of every help text.
    package static var paths: [[String]] { [[]] + actions.map(\.path) }

    /// This program itself.
    static var own: String? { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") }

    /// The program `pavise`, which lies beside this one; `nil` where it does not.
    static var pavise: String? {
        guard let own else { return nil }
        let path = URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("pavise").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    static let actions: [(path: [String], action: Action)] = [
        (["authority"], LabCommand.authority), (["files"], LabCommand.files), (["mitm"], LabCommand.mitm),
        (["servers"], LabCommand.servers),
        (["callers"], CallersCommand.action), (["demo"], DemoCommand.action),
    ]

    static let commands = CommandSet(
        root: Command(
            "pavise-lab", abstract: "Servers, attacks and load for the tests of your own app.",
            discussion: """
                Everything listens on 127.0.0.1 only. The people and passwords of its servers are the same for \
                everybody: it is no server for real secrets, and nothing of it is in the program “pavise”.
                """,
            subcommands: CommandSet.subcommands(of: actions, groups: [])
                + [Command("help", abstract: "Say more about a command.")]),
        actions: actions)

    private static var asPavise: SecurityEnvironment {
        var environment = SecurityEnvironment.current
        let identity = ApplicationIdentity(variable: PaviseHome.variable, information: [:], executable: "pavise")
        environment.accessGroups = identity.accessGroups
        return environment
    }
}
