internal import PaviseCrypto

/// Revocation lists and answers of status services that are there. Nothing is ever fetched.
package struct RevocationEvidence: Sendable {
    let lists: [RevocationList]
    var answers: [OCSPResponse]
    /// How many of them could not be read. They say nothing.
    package let unreadable: Int

    static let limit = 32

    /// Nothing is known.
    package static let none = RevocationEvidence(lists: [], answers: [])

    /// Reads lists (DER) and answers (DER, as a server staples them); at most 32 of each.
    package init(lists: [[UInt8]], answers: [[UInt8]]) {
        self.lists = lists.prefix(Self.limit).compactMap(RevocationList.init)
        self.answers = answers.prefix(Self.limit).compactMap(OCSPResponse.init)
        // What is over the limit counts as unread.
        unreadable = lists.count + answers.count - self.lists.count - self.answers.count
    }

    /// The lists in a file, PEM or DER.
    package static func lists(in bytes: [UInt8]) -> [[UInt8]] {
        let blocks = PEM.blocks("X509 CRL", in: bytes) ?? []
        return blocks.isEmpty ? [bytes] : blocks
    }
}

/// What has to be known about revocation.
package enum RevocationDemand: Hashable, Sendable {
    /// Nothing is looked at.
    case ignored
    /// What is revoked is refused. Without a usable answer nothing is.
    case soft
    /// As ``soft``; but a list or an answer by the certificate's own issuer that cannot be used is refused too.
    case usableWhenPresent
    /// Each certificate below the anchor needs a good answer.
    case hard
}

/// Why there is no answer for a certificate.
package enum RevocationGap: Hashable, Sendable {
    /// No list and no answer is about it.
    case nothingKnown
    /// A list by its issuer cannot be used.
    case list(ListDefect)
    /// An answer about it cannot be used.
    case answer(AnswerDefect)

    /// What is wrong with a list (RFC 5280 §5, §6.3.3).
    package enum ListDefect: Hashable, Sendable {
        /// The issuer's key usage does not have cRLSign.
        case issuerMayNotSign
        /// Another key signed it, or in a broken way.
        case badSignature
        /// It is from the future (seconds since 1970).
        case notYetValid(thisUpdate: Int64)
        /// There must be a newer one (seconds since 1970), or it does not say when.
        case outdated(nextUpdate: Int64?)
        /// A demand that is not known here, dotted.
        case unknownCriticalExtension(String)
        /// Version 1, or without a number or the issuer's key identifier, or with a critical number.
        case notConforming
        /// It lists changes alone, other authorities' certificates, or some reasons alone.
        case partial
        /// An entry cannot be read.
        case unreadable
    }

    /// What is wrong with an answer (RFC 6960 §3.2, §4.2.2).
    package enum AnswerDefect: Hashable, Sendable {
        /// Neither the issuer nor a service that the issuer delegated signed it.
        case notAuthorized
        /// It is from the future (seconds since 1970).
        case notYetValid(thisUpdate: Int64)
        /// There must be a newer one.
        case outdated
        /// The service does not know the certificate.
        case unknownCertificate
    }
}

/// What is known about one certificate.
enum RevocationStatus: Hashable {
    case good
    case revoked(time: Int64, reason: RevocationReason?)
    case unknown(RevocationGap)

    /// The stronger of two: revoked, then good, then the more telling gap.
    func combined(with other: RevocationStatus) -> RevocationStatus { rank >= other.rank ? self : other }

    private var rank: Int {
        switch self {
        case .revoked: 3
        case .good: 2
        case .unknown(let gap): gap == .nothingKnown ? 0 : 1
        }
    }
}
