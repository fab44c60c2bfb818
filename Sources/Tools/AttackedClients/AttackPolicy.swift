internal import Foundation
internal import PaviseLab
internal import PavisePrimitives
internal import PaviseTransport

/// What a scene's client has been told, in the kit's types.
struct AttackPolicy: Sendable {
    let stage: AttackStage

    private var client: AttackClient { stage.scene.client }

    /// The origin of the front server.
    var origin: Origin {
        Origin(
            scheme: stage.scene.front.isSecure ? .https : .http, host: stage.scene.front.host,
            port: stage.places.frontPort)
    }

    /// Anchors, pins, approvals and management.
    func trust() async throws -> TrustPolicy {
        var policy = TrustPolicy(anchors: .only([stage.anchor]))
        if client.pinsAreListed {
            policy.pinnedDomains = try PinnedDomains(infoPlist: Array(AttackPropertyList.pins(client.pins, stage).utf8))
        } else {
            policy.pins = try client.pins.map(pins)
        }
        policy.approvals = try await approvals()
        if client.isDenied, let key = Pin(stage.pin(.front)) { policy.managed.denied.keys = [key] }
        return policy
    }

    /// The configuration of App Transport Security.
    func configuration() throws -> ATSConfiguration {
        guard let text = client.transportSecurity else { return .strict }
        return try ATSConfiguration(infoPlist: Array(AttackPropertyList.transportSecurity(text).utf8))
    }

    /// One demand.
    func pins(_ pins: AttackPins) throws -> PinSet {
        let now = TimeSource.system.wallSeconds
        let whole = pins.isWholeCertificate ? stage.identity.flatMap { CertificateDigest($0.fingerprint) } : nil
        return try PinSet(
            hosts: pins.hosts, subdomains: subdomains(pins.subdomains),
            leaf: Set(pins.leaf.compactMap { Pin(stage.pin($0)) }),
            authority: Set(pins.authority.compactMap { Pin(stage.pin($0)) }),
            leafCertificates: Set([whole].compactMap { $0 }),
            expires: pins.hasExpired ? now - 60 : nil, backup: .notRequired)
    }

    /// What a person approved: what the server's certificate fails now, and what else the scene says.
    func approvals() async throws -> [CertificateApproval] {
        var found: [CertificateApproval] = []
        if client.hasApproved {
            let looking = try HTTPClient(policy: TrustPolicy(anchors: .only([stage.anchor])))
            let refusal = try await looking.inspect(origin).decision.refusal
            let approval = refusal.flatMap {
                CertificateApproval(of: $0, origin: origin, at: TimeSource.system.wallSeconds)
            }
            found.append(contentsOf: [approval].compactMap { $0 })
        }
        guard !client.alsoApproved.isEmpty, let identity = stage.identity else { return found }
        return found + [try written(client.alsoApproved, for: identity)].compactMap { $0 }
    }

    // An approval that no dialogue would have given, as somebody could write it into a file; `nil` where it is refused
    // when it is read.
    private func written(_ failures: [String], for identity: ServerIdentity) throws -> CertificateApproval? {
        let now = TimeSource.system.wallSeconds
        let value: [String: Any] = [
            "origin": ["scheme": "https", "host": origin.host, "port": Int(origin.port)], "spki": identity.pin,
            "fingerprint": identity.fingerprint, "failures": failures, "created": now - 60, "expires": now + 3600,
            "evidence": identity.fingerprint,
        ]
        let data = try JSONSerialization.data(withJSONObject: value)
        let isHard = failures.contains { TrustFailure(rawValue: $0)?.isHard ?? false }
        do {
            return try JSONDecoder().decode(CertificateApproval.self, from: data)
        } catch DecodingError.dataCorrupted where isHard {
            // One for a hard failure is refused as soon as it is read. The attack goes on without it.
            return nil
        }
    }

    private func subdomains(_ names: AttackPins.Subdomains) -> PinSet.Subdomains {
        switch names {
        case .none: .none
        case .oneLabel: .oneLabel
        case .all: .all
        }
    }
}

/// The property lists of scenes, as an app's Info.plist holds them.
enum AttackPropertyList {
    static func transportSecurity(_ members: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict>\(members)</dict></dict></plist>
        """
    }

    static func pins(_ all: [AttackPins], _ stage: AttackStage) -> String {
        let entries = all.flatMap { pins in
            pins.hosts.sorted().map { "<key>\($0)</key><dict>\(entry(pins, stage))</dict>" }
        }
        return transportSecurity("<key>NSPinnedDomains</key><dict>\(entries.joined())</dict>")
    }

    private static func entry(_ pins: AttackPins, _ stage: AttackStage) -> String {
        let subdomains = pins.subdomains == .none ? "" : "<key>NSIncludesSubdomains</key><true/>"
        return subdomains + list("NSPinnedLeafIdentities", pins.leaf, stage)
            + list("NSPinnedCAIdentities", pins.authority, stage)
    }

    private static func list(_ name: String, _ keys: Set<AttackPins.Key>, _ stage: AttackStage) -> String {
        guard !keys.isEmpty else { return "" }
        let identities = keys.map { "<dict><key>SPKI-SHA256-BASE64</key><string>\(stage.pin($0))</string></dict>" }
        return "<key>\(name)</key><array>\(identities.joined())</array>"
    }
}
