public import Foundation
internal import SecurityFramework

extension AppSecurity {
    /// A client identity, without its secret.
    public struct Identity: Hashable, Sendable {
        /// The app's name for it.
        public let name: String
        /// The certificate's subject in one line; `nil` while a first certificate is waited for.
        public let subject: String?
        /// When the certificate is valid.
        public let validity: ClosedRange<Date>?
        /// Whether the key was made in the device's secure element and never leaves it.
        public let isInElement: Bool
        /// Whether a certificate was asked for and has not come.
        public let isRequested: Bool

        /// Whether two thirds of the certificate's life are over: ask for the next one.
        public func isDue(at date: Date = Date()) -> Bool {
            guard let validity else { return false }
            let (start, end) = (validity.lowerBound.timeIntervalSince1970, validity.upperBound.timeIntervalSince1970)
            return date.timeIntervalSince1970 >= start + (end - start) * 2 / 3
        }
    }
}

extension AppSecurity.Identity {
    init(_ entry: IdentityRecord.Entry) {
        let facts = entry.current?.chain.first.flatMap { CertificateFacts(der: $0) }
        name = entry.name
        subject = facts?.subject
        validity = facts.flatMap { facts in
            guard facts.notBefore <= facts.notAfter else { return nil }
            return Date(
                timeIntervalSince1970: Double(facts.notBefore))...Date(
                    timeIntervalSince1970: Double(facts.notAfter))
        }
        isInElement = (entry.current ?? entry.requested)?.isInElement ?? false
        isRequested = entry.requested != nil
    }
}
