public import PavisePrimitives

/// Where the rules of an administrator lie: ``systemPath``, or else the file that `PAVISE_MANAGED` names.
///
/// The system's file goes first, so that a variable which everybody can set takes none of its rules away. A file that cannot be
/// used stops every connection: a rule must not disappear because of a slip.
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
        /// It belongs to another user than the administrator and the one of this process.
        case foreign(String)
        /// What stands in it cannot be used.
        case content(String, ManagedConfiguration.Failure)

        /// What is wrong and what to do.
        public var description: String {
            switch self {
            case .system(let failure):
                "The managed configuration cannot be read: \(failure.description) Repair it, or ask the administrator."
            case .noFile(let path): "The managed configuration \(path) is no file."
            case .openToAll(let path):
                "Everybody may change the managed configuration \(path). Take that away: chmod o-w, for its folder too."
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

    /// The system's file, which need not be there, and one that must be. The first that is there is used.
    package init(system: String?, named: String?) {
        self.system = system
        self.named = named
    }

    /// One file, which must be there.
    public init(path: String) { self.init(system: nil, named: path) }

    /// The one of this machine and environment.
    public static var current: ManagedFile {
        ManagedFile(system: systemPath, named: PaviseHome.variable("PAVISE_MANAGED"))
    }

    /// Reads the rules; read them again whenever they are needed, they may have changed.
    ///
    /// - Returns: `nil` when there is no file.
    public func read() throws(Failure) -> ManagedConfiguration? { try found()?.configuration }

    /// As ``read()``, with the path of the file that is used.
    public func found() throws(Failure) -> (path: String, configuration: ManagedConfiguration)? {
        if let system, let found = try Self.read(system) { return (system, found) }
        guard let named else { return nil }
        guard let found = try Self.read(named) else {
            throw .system(.notThere(named))
        }
        return (named, found)
    }

    private static func read(_ path: String) throws(Failure) -> ManagedConfiguration? {
        guard let bytes = try content(of: path) else { return nil }
        do throws(ManagedConfiguration.Failure) {
            return try ManagedConfiguration(json: bytes)
        } catch {
            throw .content(path, error)
        }
    }

    // The open file is looked at, not its name: nobody can change it in between.
    private static func content(of path: String) throws(Failure) -> [UInt8]? {
        let outcome: Result<[UInt8], Failure>
        do throws(SystemFailure) {
            let file = try FileDescriptor.openForReading(path)
            if let objection = objection(to: try file.facts(), in: try FileFacts(folderOf: path), path) {
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

    private static func objection(to file: FileFacts, in folder: FileFacts, _ path: String) -> Failure? {
        guard file.isRegular else { return .noFile(path) }
        guard !file.isOpenToAll, !folder.letsAllReplace else { return .openToAll(path) }
        return file.isOursOrTheSystems ? nil : .foreign(path)
    }
}
