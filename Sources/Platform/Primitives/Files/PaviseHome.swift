#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The folder that holds all state that is a file, mode 0700.
///
/// `PAVISE_HOME` when set, else `$XDG_DATA_HOME/pavise`, else `~/.local/share/pavise`; on Apple's systems the app's
/// `~/Library/Application Support/pavise` comes last. `~` is `HOME`, or what the list of accounts says; no home is ever
/// in a folder that users share. Read at each use, so that a test (or a program with several homes) may change the
/// environment.
package struct PaviseHome: Hashable, Sendable {
    /// The folder's path, without a slash at the end. Where there is no home, one that nothing can be made at.
    package let path: String
    /// Why there is no home; every entrance throws it.
    private let failure: SystemFailure?

    /// A home of the caller's choice.
    package init(path: String) {
        self.path = path
        failure = nil
    }

    private init(_ problem: FileProblem, _ value: String = "") {
        path = "/dev/null/pavise"
        failure = .refused(value, problem)
    }

    /// The home that the environment names.
    package static var current: PaviseHome { named(by: variable, account: { Accounts.home }) }

    /// The home that variables name, else the account.
    ///
    /// A relative `PAVISE_HOME` is refused. A relative `XDG_DATA_HOME` is ignored, as the XDG Base Directory
    /// Specification demands, and so is a relative `HOME`.
    package static func named(by variable: (String) -> String?, account: () -> String?) -> PaviseHome {
        if let path = variable("PAVISE_HOME") {
            guard path.hasPrefix("/") else { return PaviseHome(.relative(variable: "PAVISE_HOME"), path) }
            return PaviseHome(path: trimmed(path))
        }
        if let data = whole(variable("XDG_DATA_HOME")) { return PaviseHome(path: data + "/pavise") }
        guard let home = whole(variable("HOME")) ?? whole(account()) else { return PaviseHome(.noHome) }
        return PaviseHome(path: home + dataFolder)
    }

    private static func whole(_ path: String?) -> String? { path.flatMap { $0.hasPrefix("/") ? trimmed($0) : nil } }

    private static func trimmed(_ path: String) -> String {
        var path = path
        while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }

    #if canImport(Darwin)
    private static let dataFolder = "/Library/Application Support/pavise"
    #else
    private static let dataFolder = "/.local/share/pavise"
    #endif

    /// Keybag and element blobs.
    package var device: String { path + "/device" }
    /// The item database.
    package var keychain: String { path + "/keychain" }
    /// One folder for each connection.
    package var connections: String { path + "/connections" }
    /// The containers that apps name, each a folder.
    package var containers: String { path + "/containers" }
    /// The container of the home itself.
    package var protected: String { path + "/protected" }
    /// At which authorities this device's TPM is known, in clear.
    package var attestation: String { path + "/attestation" }

    /// A folder of the home with an entrance of its own.
    package enum Part: Hashable, Sendable, CaseIterable {
        case device
        case keychain
        case connections
    }

    /// The path of a part.
    package func path(of part: Part) -> String {
        switch part {
        case .device: device
        case .keychain: keychain
        case .connections: connections
        }
    }

    /// Refuses a home that somebody else owns, could read or could put another in place of; asked at each entrance.
    ///
    /// The home and its parts belong to the user of this process and to nobody else (mode 0700). The home may be
    /// reached through links, and may be one, when the links and every folder on the way belong to this user or to root
    /// and let nobody else replace what is in them; its parts are no links. What does not exist yet is fine: it is made
    /// with mode 0700.
    ///
    /// A folder or link on the way that the system leads through and does not show (`EPERM`, `EACCES`) is the system's,
    /// as in a sandbox, and is not judged.
    ///
    /// The way to the home is walked once in a process for as long as it leads to the same folder. Access control lists
    /// are not looked at, except where they show in the mode.
    /// - Throws: What is wrong, with the command that mends it.
    package func check(_ part: Part? = nil) throws(SystemFailure) {
        if let failure { throw failure }
        guard path.hasPrefix("/") else { throw .refused(path, .relative(variable: "The home")) }
        try HomeCheck.check(path)
        guard let part, let facts = try DurableFile.presence(of: path(of: part)).get() else { return }
        if let problem = facts.problemAsOwnFolder { throw .refused(path(of: part), problem) }
    }

    /// Makes the home, or a part of it, where it is not there yet, and looks at it before and after: where others may
    /// write on the way, as in a sticky folder, one of them may make it, or a link, in the moment between. Nothing is
    /// put into it before.
    ///
    /// - Throws: As ``check(_:)``, and why it cannot be made.
    package func make(_ part: Part? = nil) throws(SystemFailure) {
        try check(part)
        try DurableFile.makeDirectory(part.map { path(of: $0) } ?? path)
        try check(part)
    }

    /// The value of an environment variable; empty counts as not set.
    package static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}
