internal import PaviseJWT
public import PaviseTransport

extension SecurityConfiguration {
    /// The keys that an app's servers must have, and who may renew them after the app was built.
    ///
    /// ```swift
    /// var pins = SecurityConfiguration.Pins([try PinSet(hosts: ["cloud.example.org"], leaf: [current, next])])
    /// try pins.allowRenewal(by: "https://example.org", keys: keySet, afterExpiry: .report)
    /// configuration.pins = pins
    /// ```
    ///
    /// Whoever renews pins by what the pinned server says has no pins: a list is signed with keys of the maker's own
    /// (``AppSecurity/renewPins(_:)``).
    public struct Pins: Sendable {
        /// What happens when a list's time is over and no newer one came.
        public enum AfterExpiry: Hashable, Sendable {
            /// The hosts of the list are refused until a newer list comes.
            case refuse
            /// Connections go on, and each that would have been refused stands in
            /// the log (`server.pin.reported`).
            case report
        }

        /// The pins that the app was built with.
        public var sets: [PinSet]
        private(set) var renewal: PinRenewal?

        /// Pins that nobody renews but an update of the app.
        public init(_ sets: [PinSet] = []) { self.sets = sets }

        /// Lets signed lists renew the pins.
        ///
        /// - Parameters:
        ///   - issuer: Who signs (`iss`), compared as text.
        ///   - keys: A JWK Set (RFC 7517) of at least two different public keys for ES256 or EdDSA, each with a name.
        ///     Keep the private half of the second one elsewhere: it signs when the first is lost or stolen.
        ///   - afterExpiry: What happens when a list is over.
        /// - Throws: ``PaviseError`` with the code ``PaviseError/Code/invalidInput``.
        public mutating func allowRenewal(
            by issuer: String, keys: [UInt8], afterExpiry: AfterExpiry = .refuse
        ) throws(PaviseError) {
            do throws(PinListFailure) {
                renewal = try PinRenewal(issuer: issuer, keys: keys, afterExpiry: afterExpiry)
            } catch {
                throw PaviseError(error)
            }
        }
    }
}

/// Who may renew an app's pins.
struct PinRenewal: Sendable {
    /// How lists may be signed.
    private static let algorithms: Set<TokenAlgorithm> = [.es256, .edDSA]

    let issuer: String
    let keys: JSONWebKeySet
    let afterExpiry: SecurityConfiguration.Pins.AfterExpiry

    init(
        issuer: String, keys: [UInt8], afterExpiry: SecurityConfiguration.Pins.AfterExpiry
    ) throws(PinListFailure) {
        guard !issuer.isEmpty, let set = try? JSONWebKeySet(json: keys, accepting: Self.algorithms) else {
            throw .unusableKeys
        }
        // One key, and its loss would lock everybody out; a key without a name could not be told from another.
        guard set.keys.allSatisfy({ $0.identifier?.isEmpty == false }) else { throw .unusableKeys }
        // Two names of one key are one key: who loses it loses both.
        guard Set(set.keys.map(\.thumbprint)).count >= 2 else { throw .unusableKeys }
        self.issuer = issuer
        self.keys = set
        self.afterExpiry = afterExpiry
    }
}
