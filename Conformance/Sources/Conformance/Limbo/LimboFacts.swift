internal import PaviseCrypto

/// What the certificates of a case say, for the rules that explain a verdict.
struct LimboFacts {
    let leaf: LimboCertificate?
    /// What was sent beside the leaf, and the anchors.
    let issuers: [LimboCertificate]
    let anchors: [LimboCertificate]
    let isForServer: Bool

    init(_ entry: LimboCase) {
        leaf = LimboCertificate.all([entry.leaf]).first
        anchors = LimboCertificate.all(entry.anchors)
        issuers = LimboCertificate.all(entry.others) + anchors
        isForServer = entry.kind == .server
    }

    var all: [LimboCertificate] { (leaf.map { [$0] } ?? []) + issuers }

    /// A leaf of the years in which an app's own anchors did not ask for a purpose, and which names none or any.
    var hasOldLeafWithoutServerPurpose: Bool {
        guard let leaf = leaf?.certificate, leaf.notBefore <= 1_561_935_600 else { return false }
        return leaf.extensions.purposes.map { $0.contains("2.5.29.37.0") } ?? true
    }

    var hasAnchorWithPurposes: Bool { anchors.contains { $0.certificate.extensions.purposes != nil } }

    /// Whether the issuers of the case are allowed to sign: the question is then about the leaf.
    var issuersMaySign: Bool { issuers.allSatisfy { $0.certificate.extensions.maySignCertificates } }
}

/// A certificate of a case, with the marks that its own reader does not keep.
struct LimboCertificate {
    let certificate: X509Certificate
    /// Identifiers of its extensions and whether each is marked critical.
    private let marks: [(identifier: String, isCritical: Bool)]
    private let hasIssuerInKeyIdentifier: Bool

    static func all(_ texts: [[UInt8]]) -> [LimboCertificate] {
        texts.flatMap { PEM.blocks("CERTIFICATE", in: $0) ?? [] }.compactMap { LimboCertificate($0) }
    }

    private init?(_ der: [UInt8]) {
        guard let certificate = try? X509Certificate(der: der), let fields = try? Self.fields(der) else { return nil }
        self.certificate = certificate
        marks = fields.map { ($0.identifier, $0.isCritical) }
        let key = fields.first { $0.identifier == "2.5.29.35" }.flatMap { try? Self.tags($0.value) } ?? []
        hasIssuerInKeyIdentifier = key.contains { $0 != DERTag.context(0, constructed: false) }
    }

    private var isAuthority: Bool { certificate.extensions.basicConstraints?.isAuthority == true }

    private func isCritical(_ identifier: String) -> Bool? { marks.first { $0.identifier == identifier }?.isCritical }

    /// An identifier that RFC 5280 §4.2.1.1 and §4.2.1.2 want otherwise: missing, critical, with the issuer's name, or
    /// in a root another one than its own.
    var hasUnusualKeyIdentifiers: Bool {
        let own = certificate.extensions.subjectKeyIdentifier
        let issuers = certificate.extensions.authorityKeyIdentifier
        guard !hasIssuerInKeyIdentifier, isCritical("2.5.29.35") != true, isCritical("2.5.29.14") != true else {
            return true
        }
        if isAuthority, own == nil { return true }
        if certificate.isSelfIssued { return issuers != nil && issuers != own }
        return issuers == nil
    }

    /// A serial number that RFC 5280 §4.1.2.2 does not allow: zero, negative, or longer than 20 bytes.
    var hasUnusualSerial: Bool {
        let serial = certificate.serial
        return serial.allSatisfy { $0 == 0 } || serial.first.map { $0 >= 0x80 } == true || serial.count > 20
    }

    var hasOddRSASize: Bool { certificate.key.kind == .rsa && !certificate.key.bits.isMultiple(of: 8) }

    var hasNameConstraintWithDot: Bool {
        let constraints = certificate.extensions.nameConstraints
        return ((constraints?.permitted ?? []) + (constraints?.excluded ?? [])).contains { name in
            if case .dns(let text) = name { text.hasPrefix(".") } else { false }
        }
    }

    /// A mark other than RFC 5280 §4.2.1 or the Baseline Requirements §7.1.2 want for this extension.
    var hasUnusualCriticality: Bool {
        let never = [
            "2.5.29.9", "2.5.29.14", "2.5.29.35", "2.5.29.37", "2.5.29.46", "1.3.6.1.5.5.7.1.1", "1.3.6.1.5.5.7.1.11",
        ]
        let always = ["2.5.29.30", "2.5.29.36", "2.5.29.54"] + (isAuthority ? ["2.5.29.19"] : [])
        let isNameWrong = isCritical("2.5.29.17").map { $0 != certificate.subject.isEmpty } ?? false
        return isNameWrong || never.contains { isCritical($0) == true } || always.contains { isCritical($0) == false }
    }

    private static func fields(
        _ der: [UInt8]
    ) throws(DERFailure) -> [(identifier: String, isCritical: Bool, value: ArraySlice<UInt8>)] {
        var outer = DERReader(der[...])
        var certificate = try outer.inside()
        var body = try certificate.inside()
        while !body.isAtEnd, body.nextTag != DERTag.context(3, constructed: true) { _ = try body.next() }
        guard !body.isAtEnd else { return [] }
        var wrapper = DERReader(try body.next().content)
        var list = try wrapper.inside()
        var fields: [(identifier: String, isCritical: Bool, value: ArraySlice<UInt8>)] = []
        while !list.isAtEnd {
            var entry = try list.inside()
            let identifier = try entry.next(DERTag.objectIdentifier).objectIdentifier()
            let isCritical = try entry.optional(DERTag.boolean)?.boolean() ?? false
            fields.append((identifier, isCritical, try entry.next(DERTag.octetString).content))
        }
        return fields
    }

    private static func tags(_ value: ArraySlice<UInt8>) throws(DERFailure) -> [UInt8] {
        var reader = DERReader(value)
        var list = try reader.inside()
        var tags: [UInt8] = []
        while !list.isAtEnd { tags.append(try list.next().tag) }
        return tags
    }
}
