internal import PavisePrimitives

/// Whether an administrator allows only homes that hardware protects: `"device": { "hardware": "required" }` in the
/// managed file.
///
/// It is read here, below everything that makes a device, so that no program and no variable gets past it. The Kit
/// reads the same file for all other rules, and tells what in it cannot be used. These are two readers because Platform
/// knows nothing of the Kit, and an app that uses the keychain alone has no Kit; who may change the file is judged by
/// the same rule in both.
package struct ManagedHardware: Hashable, Sendable {
    /// The administrator's file.
    package static let systemPath = "/etc/pavise/managed.json"
    private static let limit = 1 << 20

    private let system: String?
    private let named: String?
    private let administrator: UInt32?

    /// The system's file, which need not be there, and one that must be. The first that is there counts.
    ///
    /// - Parameter administrator: To whom the system's file and its folder must belong; nobody else may change them.
    package init(system: String?, named: String?, administrator: UInt32? = nil) {
        self.system = system
        self.named = named
        self.administrator = administrator
    }

    /// The rule of this machine and environment.
    package static var current: ManagedHardware {
        ManagedHardware(system: systemPath, named: PaviseHome.variable("PAVISE_MANAGED"), administrator: 0)
    }

    /// Whether hardware is required.
    ///
    /// - Throws: ``DeviceFailure/managed(_:)`` when the file cannot be used: nobody knows then.
    package func isRequired() throws(DeviceFailure) -> Bool {
        if let system, let found = try Self.read(system, administrator) { return found }
        guard let named else { return false }
        guard let found = try Self.read(named, nil) else { throw Self.unusable(named, "it is not there") }
        return found
    }

    private static func read(_ path: String, _ owner: UInt32?) throws(DeviceFailure) -> Bool? {
        let bytes: [UInt8]
        let isTrusted: Bool
        do throws(SystemFailure) {
            let file = try FileDescriptor.openForReading(path)
            let facts = try file.facts()
            isTrusted = try isTrustworthy(facts, path, owner)
            bytes = isTrusted ? try file.readAll(limit: limit) : []
        } catch {
            guard error.isNotThere else { throw unusable(path, error.description) }
            return nil
        }
        guard isTrusted else {
            throw unusable(
                path, "it is no file, belongs to another user, or others may change it or a folder on its way")
        }
        guard let content = try? JSONValue.parse(bytes, limit: limit), content.members != nil else {
            throw unusable(path, "it is no JSON object")
        }
        guard let device = content["device"] else { return false }
        guard device.members != nil else { throw unusable(path, "“device” is no object") }
        switch device["hardware"]?.string {
        case "required": return true
        case "preferred": return false
        case nil where device["hardware"] == nil: return false
        default: throw unusable(path, "“device.hardware” is neither “required” nor “preferred”")
        }
    }

    private static func isTrustworthy(
        _ file: FileFacts, _ path: String, _ owner: UInt32?
    ) throws(SystemFailure) -> Bool {
        guard file.isRegular else { return false }
        guard let owner else {
            let folder = try FileFacts(folderOf: path)
            return file.isOursOrTheSystems && !file.isOpenToAll && !folder.letsAllReplace
        }
        let isTheirs = { (facts: FileFacts) in facts.owner == owner || facts.owner == 0 }
        guard isTheirs(file), !file.isOpenToOthers else { return false }
        // Whoever may replace a folder on the way replaces the file.
        var inner = path
        while true {
            let folder = DurableFile.directory(of: inner)
            guard folder != inner else { return true }
            let facts = try FileFacts(folderOf: inner)
            guard isTheirs(facts), !facts.letsOthersReplace else { return false }
            inner = folder
        }
    }

    private static func unusable(_ path: String, _ reason: String) -> DeviceFailure {
        .managed(
            "The managed configuration \(path) cannot be used: \(reason). Whether it demands hardware is not "
                + "known; no device was "
                + "made or opened. Repair it (“pavise policy check \(path)”), or ask the administrator.")
    }
}
