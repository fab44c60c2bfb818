internal import PavisePrimitives

/// What a program may have in it: lists with reasons, as a JSON file beside its source.
///
/// ```json
/// { "switches": ["pavise-debug-switch:integrity-reports-only"], "switchPrefix": "pavise-debug-switch:",
///   "environment": { "prefixes": ["PAVISE_"], "allowed": { "PAVISE_HOME": "names the folder of state" } },
///   "hosts": { "cloud.example.org": "an example of the help" }, "libraries": ["libc.so.6"],
///   "buildPaths": { "/home/build-user/": "Swift's own runtime" }, "entitlements": [] }
/// ```
package struct BuildPolicy: Hashable, Sendable {
    /// The marker of each declared switch for developers.
    package var switches: [String] = []
    /// How the markers of all switches begin.
    package var switchPrefix = Self.defaultPrefix
    /// How the names of variables begin that the program's own makers chose.
    package var variablePrefixes: [String] = []
    package var variables: Set<String> = []
    package var hosts: Set<String> = []
    /// `nil`: libraries are not compared.
    package var libraries: Set<String>?
    /// Folders of builders that are known, for example of the compiler's makers.
    package var buildPaths: [String] = []
    package var entitlements: Set<String> = []
    /// Further beginnings of folders of machines that build.
    package var machinePaths: [String] = []

    // Put together here: a release, which has to be free of it, has this rule in it.
    private static let defaultPrefix = ["pavise", "debug", "switch:"].joined(separator: "-")

    package init() {}

    /// Why a policy is not used.
    package struct Problem: Error, Hashable, Sendable {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// Whether a variable of this name is declared.
    ///
    /// The compiler keeps names of up to 15 bytes in its code, eight bytes at a time: there the first eight stand
    /// alone, and up to two bytes of the next instruction can look like letters.
    func declares(_ name: String) -> Bool {
        variables.contains(name) || variablePrefixes.contains(name)
            || (name.utf8.count <= 10 && variables.contains { $0.utf8.count <= 15 && $0.prefix(8) == name.prefix(8) })
    }

    /// Reads a file. A member that is not known refuses the whole: it may be a rule with a slip in its name.
    package init(json bytes: [UInt8]) throws(Problem) {
        let value: JSONValue
        do throws(JSONFailure) { value = try JSONValue.parse(bytes) } catch {
            throw Problem(description: "The build policy is no JSON that can be read.")
        }
        let known = [
            "switches", "switchPrefix", "environment", "hosts", "libraries", "buildPaths", "entitlements",
            "machinePaths",
        ]
        guard let members = value.members else { throw Problem(description: "The build policy is no JSON object.") }
        try Self.check(members, known, in: "")
        if let environment = value["environment"] {
            guard let members = environment.members else {
                throw Problem(description: "In the build policy environment is no JSON object.")
            }
            try Self.check(members, ["prefixes", "allowed"], in: "environment.")
        }
        switches = try Self.names(value["switches"], "switches") ?? []
        if let prefix = value["switchPrefix"] {
            guard let text = prefix.string, !text.isEmpty else {
                throw Problem(description: "In the build policy switchPrefix is no text.")
            }
            switchPrefix = text
        }
        variablePrefixes = try Self.names(value["environment"]?["prefixes"], "environment.prefixes") ?? []
        variables = Set(try Self.names(value["environment"]?["allowed"], "environment.allowed") ?? [])
        hosts = Set(try Self.names(value["hosts"], "hosts") ?? [])
        libraries = try Self.names(value["libraries"], "libraries").map(Set.init)
        buildPaths = try Self.names(value["buildPaths"], "buildPaths") ?? []
        entitlements = Set(try Self.names(value["entitlements"], "entitlements") ?? [])
        machinePaths = try Self.names(value["machinePaths"], "machinePaths") ?? []
    }

    private static func check(_ members: [JSONValue.Member], _ known: [String], in path: String) throws(Problem) {
        guard let other = members.first(where: { !known.contains($0.name) }) else { return }
        throw Problem(description: "The build policy has a member “\(path)\(other.name)” that is not known.")
    }

    // A list of names, or an object of names with reasons.
    private static func names(_ value: JSONValue?, _ path: String) throws(Problem) -> [String]? {
        guard let value else { return nil }
        if let members = value.members {
            guard members.allSatisfy({ $0.value.string?.isEmpty == false }) else {
                throw Problem(description: "In the build policy each name of \(path) needs a reason.")
            }
            return members.map(\.name)
        }
        guard let list = value.array, list.allSatisfy({ $0.string?.isEmpty == false }) else {
            throw Problem(description: "In the build policy \(path) is no list of names.")
        }
        return list.compactMap(\.string)
    }
}
