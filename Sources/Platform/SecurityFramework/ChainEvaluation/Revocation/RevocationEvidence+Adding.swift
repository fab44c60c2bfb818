internal import PaviseCrypto

extension RevocationEvidence {
    /// The same with these answers (DER) as well; what is over the limit or cannot be read says nothing.
    package func adding(answers more: [[UInt8]]) -> RevocationEvidence {
        var copy = self
        copy.answers += more.prefix(Self.limit).compactMap(OCSPResponse.init)
        return copy
    }

    /// The lists of timestamps that answers about `certificate` bring along (RFC 6962 §3.3). Each promise is signed by
    /// its log, so it does not matter who signed the answer, and when.
    func timestamps(about certificate: X509Certificate, issuer: X509Certificate) -> [ArraySlice<UInt8>] {
        answers.compactMap { answer in
            answer.statuses.first { $0.isAbout(certificate, issuer: issuer) }?.timestamps
        }
    }
}
