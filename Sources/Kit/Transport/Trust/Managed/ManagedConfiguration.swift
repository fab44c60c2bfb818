internal import PavisePrimitives

/// An administrator's file about servers, sessions and the app lock (connections C34 to C40; trust facts, section 9), as JSON.
///
/// ```json
/// { "allowedServers": ["cloud.example.org", "*.example.org:8443"], "plainHTTP": "forbidden",
///   "requiredPins": [{ "hosts": ["cloud.example.org"], "leaf": ["r/mI…=", "5kJv…="] }],
///   "denied": { "keys": ["…="] }, "renewal": "sameIssuers", "userApproval": "onlySelfSigned",
///   "authentication": { "allowed": ["oidc"] }, "session": { "maximumSeconds": 86400 },
///   "appLock": { "required": true }, "device": { "hardware": "required" } }
/// ```
///
/// A value that cannot be used refuses the whole file: a rule that was meant to tighten must not disappear because of a slip.
/// A key that is not known is reported with the nearest known one; what is known beside it holds.
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
        /// No JSON object within 1 MiB and 16 levels, or a member comes twice.
        case unreadable
        /// Values that cannot be used, each with its place and what is expected there.
        case unusable([String])

        /// What is wrong and what to do.
        public var description: String {
            switch self {
            case .unreadable: "The managed configuration is no JSON object of at most 1 MiB, or names a member twice."
            case .unusable(let places):
                "The managed configuration is not used. " + places.joined(separator: " ")
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

    /// Reads a file.
    public init(json bytes: [UInt8]) throws(Failure) {
        guard let value = try? JSONValue.parse(bytes, limit: Self.limit), value.members != nil else {
            throw .unreadable
        }
        var reader = ManagedReader()
        trust = reader.trust(value)
        methods = reader.methods(value)
        session = reader.session(value)
        appLock = reader.appLock(value)
        device = reader.device(value)
        guard reader.problems.isEmpty else { throw .unusable(reader.problems) }
        unknownKeys = reader.unknownKeys
    }
}
