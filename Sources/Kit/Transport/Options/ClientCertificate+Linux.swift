#if os(Linux)
internal import Foundation
internal import PavisePrimitives
internal import SecurityFramework

extension ClientCertificate {
    /// The same for the TLS library, which gets signatures and no key.
    var identityForTLS: ClientIdentity {
        let key = identity.key
        let chain = [identity.certificate] + intermediates
        return ClientIdentity(chain: chain.map { [UInt8](SecCertificateCopyData($0) as Data) }) { operation in
            let (algorithm, input): (SecKeyAlgorithm, [UInt8]) =
                switch operation {
                case .ecdsa(let digest): (.ecdsaSignatureDigestX962, digest)
                case .rsaPKCS1(let block): (.rsaSignatureDigestPKCS1v15Raw, block)
                case .rsa(let block): (.rsaSignatureRaw, block)
                }
            return SecKeyCreateSignature(key, algorithm, NSData(data: Data(input)), nil).map { [UInt8]($0 as Data) }
        }
    }
}
#endif
