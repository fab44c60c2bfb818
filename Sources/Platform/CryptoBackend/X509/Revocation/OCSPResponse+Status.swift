extension OCSPResponse {
    /// What is said about one certificate.
    package struct Status: Sendable {
        /// The word of the service.
        package enum Word: Hashable, Sendable {
            case good
            /// When, in seconds since 1970, and why, where it is said.
            case revoked(time: Int64, reason: RevocationReason?)
            /// The service does not know the certificate.
            case unknown
        }

        /// The word.
        package let word: Word
        /// From when on the word is right, seconds since 1970.
        package let thisUpdate: Int64
        /// When there is a newer word at the latest, seconds since 1970; `nil` when it is not said.
        package let nextUpdate: Int64?
        /// Promises of logs that the authority lays beside its word, as one list (RFC 6962 §3.3).
        package let timestamps: ArraySlice<UInt8>?
        private let hash: HashFunction?
        private let issuerName: ArraySlice<UInt8>
        private let issuerKey: ArraySlice<UInt8>
        private let serial: ArraySlice<UInt8>

        init(_ list: inout DERReader) throws(DERFailure) {
            var fields = try list.inside()
            var identifier = try fields.inside()
            var algorithm = try identifier.inside()
            hash = Self.hashes[try algorithm.next(DERTag.objectIdentifier).objectIdentifier()]
            issuerName = try identifier.next(DERTag.octetString).content
            issuerKey = try identifier.next(DERTag.octetString).content
            serial = try identifier.next(DERTag.integer).integerBytes()
            try identifier.finish()
            word = try Self.word(try fields.next())
            thisUpdate = try fields.next(DERTag.generalizedTime).time()
            nextUpdate = try Self.nextUpdate(&fields)
            let timestamps = try OCSPResponse.checkExtensions(&fields, wanted: Self.timestampList)
            // What cannot be read of them takes nothing from the word.
            self.timestamps = timestamps.flatMap(Self.list)
            try fields.finish()
        }

        /// Whether it is about `certificate`, which `issuer` issued.
        package func isAbout(_ certificate: X509Certificate, issuer: X509Certificate) -> Bool {
            guard let hash, serial.elementsEqual(certificate.serial) else { return false }
            return issuerName.elementsEqual(Hash.digest(hash, issuer.subject.der))
                && issuerKey.elementsEqual(Hash.digest(hash, issuer.key.encoded))
        }

        private static let timestampList = "1.3.6.1.4.1.11129.2.4.5"

        private static func list(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
            var reader = DERReader(value)
            guard let list = try? reader.next(DERTag.octetString).content, reader.isAtEnd else { return nil }
            return list
        }

        private static func nextUpdate(_ fields: inout DERReader) throws(DERFailure) -> Int64? {
            guard var reader = try fields.optional(DERTag.context(0, constructed: true)).map({ DERReader($0.content) })
            else { return nil }
            let time = try reader.next(DERTag.generalizedTime).time()
            try reader.finish()
            return time
        }

        private static func word(_ element: DERElement) throws(DERFailure) -> Word {
            switch element.tag {
            case DERTag.context(0, constructed: false): return .good
            case DERTag.context(2, constructed: false): return .unknown
            case DERTag.context(1, constructed: true):
                var fields = DERReader(element.content)
                let time = try fields.next(DERTag.generalizedTime).time()
                let reason = try fields.optional(DERTag.context(0, constructed: true))
                try fields.finish()
                guard let reason else { return .revoked(time: time, reason: nil) }
                return .revoked(time: time, reason: try RevocationReason(enumerated: reason.content))
            default: throw DERFailure()
            }
        }

        // SHA-1 here is a name for an issuer, not a proof of anything.
        private static let hashes: [String: HashFunction] = [
            "1.3.14.3.2.26": .sha1, "2.16.840.1.101.3.4.2.1": .sha256, "2.16.840.1.101.3.4.2.2": .sha384,
            "2.16.840.1.101.3.4.2.3": .sha512,
        ]
    }
}
