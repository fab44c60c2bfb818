public import PavisePrimitives

/// Where the rules of an administrator lie. On Linux ``systemPath``, or else the file that `PAVISE_MANAGED` names; on
/// Apple's systems the app's managed configuration, under the key `pavise`.
///
/// The system's file goes first, so that a variable which everybody can set takes none of its rules away. It, and every
/// folder on the way to it, must belong to root, and neither a group nor everybody may change them. The file of the
/// variable may also be the user's own: whoever sets the variable chooses it. A file that cannot be used stops every
/// connection: a rule must not disappear because of a slip.
///
/// ```swift
/// let configuration = try ManagedFile.current.read()      // nil: nobody manages this machine
/// ```
public struct ManagedFile: Hashable, Sendable {
    /// Why a file is not used.
    public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// It cannot be read, or the variable names one that is not there.
        case system(SystemFailure)
        /// It is a folder, a device, a pipe or a socket.
        case noFile(String)
        /// It, or the folder in which it lies, can be changed by everybody.
        case openToAll(String)
        /// The system's file, or a folder on the way to it, does not belong to root, or others may change it.
        case notRoots(String)
        /// The dictionary holds rules, and the system does not say that an administrator set them.
        case notForced(String)
        /// It belongs to another user than the administrator and the one of this process.
        case foreign(String)
        /// What stands in it cannot be used.
        case content(String, ManagedConfiguration.Failure)

        /// What is wrong and what to do.
        public var description: String {
            switch self {
            case .system(let failure):
                "The managed configuration cannot be read: \(failure.words) Repair it, or ask the administrator."
            case .noFile(let path): "The managed configuration \(path) is no file."
            case .openToAll(let path):
                "Everybody may change the managed configuration \(path). Take that away: chmod o-w, for its folder too."
            case .notRoots(let path):
                """
                \(path) decides about the managed configuration: it must belong to root, and nobody else may change \
                it. As root: chown root \(path) && chmod go-w \(path)
                """
            case .notForced(let name):
                """
                \(name) holds rules that no management profile has set: anybody with the rights of this app may have \
                written them. Take them away, or set them by a profile.
                """
            case .foreign(let path):
                "The managed configuration \(path) belongs to another user. It must be root's or your own."
            case .content(let path, let failure): "\(path): \(failure.description)"
            }
        }
    }

    /// The administrator's file.
    public static let systemPath = "/etc/pavise/managed.json"

    /// No file: nobody manages.
    public static let none = ManagedFile(system: nil, named: nil)

    private let system: String?
    private let named: String?
    private let administrator: UInt32?
    private let source: ManagedSource?

    /// The system's file, which need not be there, and one that must be. The first that is there is used.
    ///
    /// - Parameter administrator: To whom the system's file and each folder on the way to it must belong; nobody else
    ///   may change them. `nil` judges it like the other.
    package init(system: String?, named: String?, administrator: UInt32? = nil) {
        self.system = system
        self.named = named
        self.administrator = administrator
        source = nil
    }

    /// Rules that the system keeps.
    package init(_ source: ManagedSource) {
        system = nil
        named = nil
        administrator = nil
        self.source = source
    }

    /// One file, which must be there.
    public init(path: String) { self.init(system: nil, named: path) }

    /// The one of this machine and environment.
    public static var current: ManagedFile {
        #if canImport(Darwin)
        ManagedFile(ManagedPreferences.source)
        #else
        ManagedFile(system: systemPath, named: PaviseHome.variable("PAVISE_MANAGED"), administrator: 0)
        #endif
    }

    /// Returns once each channel of the system has said what it holds; at once on Linux, where there is a file.
    ///
    /// On iOS 18.4 and later rules may come by a channel that has to be waited for. Apple promises the first value at
    /// once. An app that awaits this before it makes its `AppSecurity` sends nothing without the rules; one that does
    /// not goes by what the older channel says until then. A task that is cancelled waits no longer.
    ///
    /// ```swift
    /// await ManagedFile.current.ready()
    /// ```
    public func ready() async { await source?.declarations?.ready() }

    /// Calls `body` after each change that comes by itself, until it returns `false`.
    package func observe(_ body: @escaping @Sendable () -> Bool) { source?.declarations?.observe(body) }

    /// Leaves a report where the administrator finds it, if the system has such a place.
    package func tell(_ report: ManagedReport) { source?.tell(report) }

    /// Reads the rules; read them again whenever they are needed, they may have changed.
    ///
    /// - Returns: `nil` when there is no file.
    public func read() throws(Failure) -> ManagedConfiguration? { try found()?.configuration }

    /// As ``read()``, with the path of the file that is used.
    public func found() throws(Failure) -> (path: String, configuration: ManagedConfiguration)? {
        if let source { return try source.read().map { (source.name, $0) } }
        if let system, let found = try Self.read(system, administrator) { return (system, found) }
        guard let named else { return nil }
        guard let found = try Self.read(named, nil) else {
            throw .system(.notThere(named))
        }
        return (named, found)
    }

    private static func read(_ path: String, _ owner: UInt32?) throws(Failure) -> ManagedConfiguration? {
        guard let bytes = try content(of: path, owner) else { return nil }
        do throws(ManagedConfiguration.Failure) {
            return try ManagedConfiguration(json: bytes)
        } catch {
            throw .content(path, error)
        }
    }

    // The open file is looked at, not its name: nobody can change it in between.
    private static func content(of path: String, _ owner: UInt32?) throws(Failure) -> [UInt8]? {
        let outcome: Result<[UInt8], Failure>
        do throws(SystemFailure) {
            let file = try FileDescriptor.openForReading(path)
            if let objection = try objection(to: try file.facts(), path, owner) {
                outcome = .failure(objection)
            } else {
                outcome = .success(try file.readAll(limit: ManagedConfiguration.limit))
            }
        } catch {
            guard error.isNotThere else { throw .system(error) }
            return nil
        }
        return try outcome.get()
    }

    private static func objection(
        to file: FileFacts, _ path: String, _ owner: UInt32?
    ) throws(SystemFailure) -> Failure? {
        guard file.isRegular else { return .noFile(path) }
        if let owner { return try stranger(to: owner, file, path).map(Failure.notRoots) }
        let folder = try FileFacts(folderOf: path)
        guard !file.isOpenToAll, !folder.letsAllReplace else { return .openToAll(path) }
        return file.isOursOrTheSystems ? nil : .foreign(path)
    }

    // The file, or the folder on the way to it, that somebody else than `owner` and root may change. Where a folder has
    // the sticky bit, others may add names and take none away.
    private static func stranger(
        to owner: UInt32, _ file: FileFacts, _ path: String
    ) throws(SystemFailure) -> String? {
        let isTheirs = { (facts: FileFacts) in facts.owner == owner || facts.owner == 0 }
        guard isTheirs(file), !file.isOpenToOthers else { return path }
        var inner = path
        while true {
            let folder = DurableFile.directory(of: inner)
            guard folder != inner else { return nil }
            let facts = try FileFacts(folderOf: inner)
            guard isTheirs(facts), !facts.letsOthersReplace else { return folder }
            inner = folder
        }
    }
}
