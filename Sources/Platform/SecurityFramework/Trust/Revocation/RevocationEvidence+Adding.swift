internal import PaviseCrypto

extension RevocationEvidence {
    /// The same with these answers (DER) as well; what is over the limit or cannot be read says nothing.
    package func adding(answers more: [[UInt8]]) -> RevocationEvidence {
        var copy = self
        copy.answers += more.prefix(Self.limit).compactMap(StatusAnswer.init)
        return copy
    }
}
