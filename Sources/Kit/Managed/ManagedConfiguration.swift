package import PavisePrimitives
public import PaviseTransport

/// An administrator's file about servers, sessions and the app lock (connections C34 to C40), as JSON.
///
/// ```json
/// { "allowedServers": ["cloud.example.org", "*.example.org:8443"], "plainHTTP": "forbidden",
///   "requiredPins": [{ "hosts": ["cloud.example.org"], "leaf": ["r/mI…=", "5kJv…="] }],
///   "denied": { "keys": ["…="] }, "renewal": "sameIssuers", "userApproval": "onlySelfSigned",
///   "authentication": { "allowed": ["oidc"] }, "session": { "maximumSeconds": 86400 },
///   "appLock": { "required": true }, "device": { "hardware": "required" } }
/// ```
///
/// A value that cannot be used refuses the whole file: a rule that was meant to tighten must not disappear because of a
/// slip. So does a key that is not known and spelled much like one of the lists of what is allowed (`allowedServers`,
/// `authentication.allowed`, `authentication.passwordServers`): without its list all would be. Any other key that is
/// not known is reported with the nearest known one; what is known beside it holds.
public struct ManagedConfiguration: Hashable, Sendable {
    /// A key that no version of Pavise knows.
    public struct UnknownKey: Hashable, Sendable, CustomStringConvertible {
        /// Where it stands, for example `denied.key`.
        public let path: String
        /// The known key that is spelled most like it; `nil` when none is.
        public let nearest: String?

        /// One sentence.
        public var description: String {
            "The key “\(path)” is not known" + (nearest.map { ". Did you mean “\($0)”?" } ?? ".")
        }
    }

    /// Why a file is not used.
    public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// JSON, but no object.
        case noObject
        /// No JSON in UTF-8, from this place on. Both numbers begin with 1; a column is a character.
        case malformed(line: Int, column: Int)
        /// More than 1 MiB, or arrays and objects inside each other beyond 16 levels.
        case tooLarge
        /// A member comes twice: two readers could see two values.
        case repeated(String)
        /// Values that cannot be used, each with its place and what is expected there, and the keys that are not known.
        case unusable([ManagedProblem])

        /// What is wrong and what to do.
        public var description: String {
            switch self {
            case .noObject: "The managed configuration is no JSON object: write { … }."
            case .malformed(let line, let column):
                "The managed configuration is no JSON from line \(line), column \(column) on. Mend that place."
            case .tooLarge: "The managed configuration is larger than 1 MiB, or nested deeper than 16 levels."
            case .repeated(let name):
                "The managed configuration names the member “\(name)” twice in one object. Take one of them away."
            case .unusable(let places):
                "The managed configuration is not used. " + places.map(\.description).joined(separator: " ")
            }
        }
    }

    /// The greatest file that is read, in bytes.
    public static let limit = 1 << 20

    /// The rules for servers.
    public let trust: ManagedTrust
    /// The rules for signing in.
    public let methods: ManagedMethods
    /// The rules for sessions.
    public let session: ManagedSession
    /// The rules for the app lock.
    public let appLock: ManagedAppLock
    /// The rules for the device.
    public let device: ManagedDevice
    /// Keys without effect. Show them to the administrator: one of them may be a rule with a slip in its name.
    public let unknownKeys: [UnknownKey]
    /// What they were read from.
    package let form: ManagedForm

    /// Reads a file.
    public init(json bytes: [UInt8]) throws(Failure) { try self.init(Self.parsed(bytes)) }

    /// Reads rules that were parsed already.
    package init(_ value: JSONValue) throws(Failure) {
        guard value.members != nil else { throw .noObject }
        var reader = ManagedReader()
        trust = reader.trust(value)
        methods = reader.methods(value)
        session = reader.session(value)
        appLock = reader.appLock(value)
        device = reader.device(value)
        guard reader.problems.isEmpty else {
            throw .unusable(reader.problems + reader.unknownKeys.map(\.problem))
        }
        unknownKeys = reader.unknownKeys
        form = ManagedForm(value)
    }

    static func parsed(_ bytes: [UInt8]) throws(Failure) -> JSONValue {
        do throws(JSONFailure) {
            return try JSONValue.parse(bytes, limit: limit)
        } catch {
            switch error {
            case .tooLarge, .tooDeep: throw .tooLarge
            case .duplicateMember(let name): throw .repeated(name)
            case .malformed(let offset):
                let before = bytes.prefix(String(validating: bytes, as: UTF8.self) == nil ? validCount(bytes) : offset)
                let line = before.count { $0 == UInt8(ascii: "\n") } + 1
                let last = before[(before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)...]
                throw .malformed(line: line, column: String(decoding: last, as: UTF8.self).count + 1)
            }
        }
    }

    // How many bytes at the beginning are UTF-8.
    private static func validCount(_ bytes: [UInt8]) -> Int {
        var decoder = UTF8()
        var rest = bytes.makeIterator()
        var count = 0
        while case .scalarValue(let scalar) = decoder.decode(&rest) { count += UTF8.width(scalar) }
        return count
    }
}
