import Foundation
import SecurityFramework
import Testing

/// RSA keys below 1,024 bits: weak, and Apple's SecKey reads them. Generators that do not force the top bit make keys
/// of 1,023.
@Suite struct SmallRSATests {
    /// A key that OpenSSL made (`openssl genrsa -traditional`), and its PKCS#1 v1.5 signature with SHA-256 over
    /// `hello`.
    struct SmallKey: CustomStringConvertible, Sendable {
        let bits: Int
        let key: String
        let signature: String
        var description: String { "\(bits) bits" }

        func privateKey() throws -> SecKey { try Keys.read(try #require(Data(base64Encoded: key)), "42", "1") }
    }

    static let message = Data("hello".utf8)

    @Test(arguments: SmallKey.all) func `a small key is read, signs and verifies as another library does`(
        _ small: SmallKey
    ) throws {
        let key = try small.privateKey()
        let publicKey = try key.publicHalf()
        #expect(key.fact(kSecAttrKeySizeInBits) == small.bits)
        #expect(SecKeyGetBlockSize(key) == (small.bits + 7) / 8)
        #expect(try key.externalRepresentation().base64EncodedString() == small.key)
        #expect(try Keys.read(publicKey.externalRepresentation(), "42", "0") == publicKey)
        let signature = try key.signature(of: Self.message, .rsaSignatureMessagePKCS1v15SHA256)
        #expect(signature.base64EncodedString() == small.signature)
        try publicKey.verify(signature, of: Self.message, .rsaSignatureMessagePKCS1v15SHA256)
        let other = statusCode {
            try publicKey.verify(signature, of: Data("hallo".utf8), .rsaSignatureMessagePKCS1v15SHA256)
        }
        #expect(other == -67808)
        for algorithm in [SecKeyAlgorithm.rsaEncryptionPKCS1, .rsaEncryptionOAEPSHA1] {
            #expect(try key.decrypt(publicKey.encrypt(Self.message, algorithm), algorithm) == Self.message)
        }
    }

    @Test(arguments: [512, 513, 768, 1023]) func `a small key is made when somebody asks for one`(_ bits: Int) throws {
        let key = try Keys.make("42", bits)
        #expect(key.fact(kSecAttrKeySizeInBits) == bits)
        let signature = try key.signature(of: Self.message, .rsaSignatureMessagePSSSHA1)
        try key.publicHalf().verify(signature, of: Self.message, .rsaSignatureMessagePSSSHA1)
    }

    @Test func `a hash that does not fit into the key is a wrong parameter, not a failure inside`() throws {
        let key = try #require(SmallKey.all.first).privateKey()
        let error = #expect(throws: NSError.self) {
            try key.signature(of: Self.message, .rsaSignatureMessagePKCS1v15SHA512)
        }
        #expect(error?.code == -50)
        #expect(!SecKeyIsAlgorithmSupported(key, .sign, .rsaSignatureMessagePKCS1v15SHA512))
        #expect(!SecKeyIsAlgorithmSupported(key, .sign, .rsaSignatureMessagePSSSHA256))
    }

    // RFC 8017 §9.2, notes 1 and 3: 94 bytes for SHA-512, 78 for SHA-384.
    @Test(arguments: [616, 617, 744, 745])
    func `KEY2: PKCS#1 v1.5 is offered for exactly the sizes that it can sign with`(_ bits: Int) throws {
        let key = try Keys.make("42", bits)
        let publicKey = try key.publicHalf()
        let algorithms = [
            (SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA384, 617), (.rsaSignatureMessagePKCS1v15SHA512, 745),
        ]
        for (algorithm, least) in algorithms {
            #expect(SecKeyIsAlgorithmSupported(key, .sign, algorithm) == (bits >= least))
            #expect(SecKeyIsAlgorithmSupported(publicKey, .verify, algorithm) == (bits >= least))
            let signature = try? key.signature(of: Self.message, algorithm)
            #expect((signature != nil) == (bits >= least))
            if let signature { try publicKey.verify(signature, of: Self.message, algorithm) }
        }
    }

    // RFC 8017 §9.1.1: the encoded message is a bit shorter than the modulus.
    @Test(arguments: [520, 521, 522, 523]) func `PSS is offered for exactly the sizes that it can sign with`(
        _ bits: Int
    ) throws {
        let (key, algorithm) = (try Keys.make("42", bits), SecKeyAlgorithm.rsaSignatureMessagePSSSHA256)
        #expect(SecKeyIsAlgorithmSupported(key, .sign, algorithm) == (bits > 521))
        let signature = try? key.signature(of: Self.message, algorithm)
        #expect((signature != nil) == (bits > 521))
        if let signature { try key.publicHalf().verify(signature, of: Self.message, algorithm) }
    }

    // RFC 8017 appendix A.1: two numbers, the modulus with its highest bit as given.
    private func publicKey(bits: Int) -> Data {
        func integer(_ bytes: [UInt8]) -> [UInt8] {
            let bytes = (bytes.first ?? 0) & 0x80 == 0 ? bytes : [0] + bytes
            return [2] + length(bytes.count) + bytes
        }
        func length(_ count: Int) -> [UInt8] {
            count < 128 ? [UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 255)]
        }
        var modulus = [UInt8](repeating: 0x55, count: (bits + 7) / 8)
        modulus[0] = 1 << UInt8((bits - 1) % 8)
        let numbers = integer(modulus) + integer([1, 0, 1])
        return Data([0x30] + length(numbers.count) + numbers)
    }

    @Test(arguments: [511, 8193]) func `a key that is too small or too large says so`(_ bits: Int) throws {
        #expect(try Keys.read(publicKey(bits: bits == 511 ? 512 : 8192), "42", "0").fact(kSecAttrKeyType) == "42")
        let error = #expect(throws: NSError.self) { try Keys.read(publicKey(bits: bits), "42", "0") }
        #expect(error?.code == -50)
        let text = try #require(error?.localizedDescription)
        #expect(text.contains("\(bits) bits") && text.contains("512 to 8192"), "\(text)")
    }
}

extension SmallRSATests.SmallKey {
    static let all = [
        SmallRSATests.SmallKey(
            bits: 512,
            key: """
                MIIBPAIBAAJBAMu0QHzhdBqjJsv6bJcRm7nXvSZ9uniGrsTK4rrtkblz4eYhYqgfIVHhiw0P5NbUEvvW26zyz46ylEcyKarT\
                FxMCAwEAAQJAM1HrOUsXlCpseNFTkE/IWu7GYa8lTn4oA75VluCJaR4cm7Sek885l/GDGRFs76fCaioRRw/vTfnodKxGS/n1\
                IQIhAPE1MLluCcwe4ghZS0//L7B7QBeyAByok2rQD1IKzzNxAiEA2DJHGJNo3dM1LA1kozbMxhNNszO5L48a/Ab6e9UpaMMC\
                IQC808AOGfevhSm8EXNk78f8p6/4HM/7n3iwcKrdtjqY8QIhAKYldWfYmUWoM/vHyyh3S8WJPjRSsqVvB+DZiBQ0i987AiEA\
                oMbrAlDHHvwkKZvLdjS0M8zOqVb3pCzE+Etgj/AOlUo=
                """,
            signature: """
                cyqIs0+cfxEOcq6jaEKGmwkry2i2yld8WkxDyhLG1o/JVSdIFt2/H5PiafVWEFK3XNHCOgDPLLqQcqd/GJNh4Q==
                """),
        SmallRSATests.SmallKey(
            bits: 768,
            key: """
                MIIBygIBAAJhAM2ZkiYqjIc0/LjKYH1Fh9SkQ4TFrn8WBdNHszfOJhXWaz8bu35EtDfLi7VfbrsnuXqWzHOOdCUsW6ReISXR\
                ANPDptznxinDMZOEK9qYRw6NMNvRVt/9fFtsWafopmExEQIDAQABAmBeSyV9PZxv0jxp39869O2j96ZDuYobHRWU3dhzKqfK\
                8ikDq4tlEMt6n262w0r8qO2UgEoyNfr7/t768pGpepaGRi/c52FixxCmMAVnrQ0UoRfILtN09gF+0H2BrFpkhHECMQDwfawu\
                /jlAcokuGw2Cgi9kf/rFDShI1M9KfttTwK6hhwRXMgne6ZzjTKzoRPDUIU0CMQDa29+PC1xf5MQLQaHSpOJGMnU5lG7UG+m5\
                CofQav7L1edZEaNaV4mtcPOEJfypbNUCMFw69kP3f6F1y6KBAYdhwic65cOYrjBwXSdmy1qtdMvB6io+qIZy9ZY+m7lgZzQT\
                qQIwNdXqKyy3P1ttofs2DDPE+VGGJnDNxl1LY9okSG9ZV9i5PN6q2Rk5Y7GqJTKW8TI1AjEAnLmS/+sYOGRu2+RR25A+zkv7\
                WbqKaWQOe3PA8iPG2h2gZ1OOalLq82a5j1598Nzh
                """,
            signature: """
                BIhMhdPO0ervO6ts1p7ARbzdHTsMBbjaejSmfDrxGcI+SYbDetKveAocCBYr7YlCT3DRDYAs81E6cOSVxqqW5nCyrF99o62k\
                eMheWAqJfjjE3qRhO5L72PzgDzkND6DF
                """),
        SmallRSATests.SmallKey(
            bits: 1023,
            key: """
                MIICWgIBAAKBgFE2hlipUeIwyYMSsDzzsawhAw6hv1QVmXIxKhZKjtBDf1rlqAIwmweHJj6ZW+8xavQ+dRjBY5eirSFOMao9\
                HYt+rQygRDUxVciRnvjjZ+klHKakKn21CJOZrnGxKnevv+DK2NC/+1EjNP1cfNbb8Mt2zjDsltWAgt4NjQaRti3TAgMBAAEC\
                gYBIcrumnGXPwnYB18oglcUKKOjxRJnKCPq6Q+GnwRtl7tDN5dHbIkEqlgYoEedRmmQvPwh27Q5LV3PbIkZr99lCZQCMS5mP\
                C40pPQ1lUSiU8Ttr70jo8dxxf8fn+KOH43dLbCC9g/cJH3Ee96kwPfdDbRUPL062mbm/2d3rTPmkAQJBANBQ/zGIYylsh2rQ\
                m930IKFMXCG2lCPPmvxGHOpOYXUEmJ+qkIqxq/gpBZ9pmGzgQweKWNvQMVktz1EEzLcq7jECQGPNeWmGCaLmpCwIFSVWwGo9\
                dQ8uuhbfsyG1yKdsINkSO0M6ZikB2KJQflsYZMumvGZ4Z89ZUklPVzuhkK4+h0MCQQC5Asay2jufhaj7P8y+olv8hVHqCzqk\
                V3SBi0+Q9Q3vHKbkX1rCIyvlWaGJxAHA6Kf/YWqrxsqdNmdCwG2EXBdxAkBZ2dEm2Y+vYyoGojg3Z4TPoQjUZGMQ2NCy1rAR\
                Wt2v0CQegGMdJBZe+0zmwm1sk24matw65tWYPp/whaJ13MF1AkBM1tLCUtyawgZEzbntbndbIlIVNRd7wVSJNUqkRWJ968DF\
                BL6t+m/5MBLeuxERZdUMvZGjxFkxT1Ccp6k2wDJb
                """,
            signature: """
                Dnx1dS2mYIlvg4HkWAzmvphe1iwbF18P+ZIdw5ToIuvp/sISCBnhMFqCcJFxxJeC2hLWZyMGj+7eDzH+fpUSVwZEbdhBQyYZ\
                dd2CTAt5qVWMQI0Sg89hin1LAdHRSwOrBMNDDNZIjNhHCiBKhbeCKjPUkRNZi8yJM4DpRmDo4yE=
                """),
    ]
}
