internal import CPaviseOpenSSL
package import PavisePrimitives

/// Reads PKCS#12 files (RFC 7292): certificates and private keys under a passphrase.
package enum PKCS12 {
    /// Opens a file and takes out what is inside.
    ///
    /// - Parameters:
    ///   - bytes: The whole file; nothing may follow it.
    ///   - passphrase: UTF-8; may be empty.
    package static func read(
        _ bytes: [UInt8], passphrase: borrowing SecretBytes, limits: PKCS12Limits = PKCS12Limits()
    ) throws(PKCS12Failure) -> PKCS12Content {
        guard bytes.count <= limits.size else { throw .excessive }
        defer { ERR_clear_error() }
        let file = try File(bytes)
        var cost = PKCS12Cost(limits)
        return try passphrase.withBytes { span throws(PKCS12Failure) in
            let length = span.count
            return try unsafe span.withUnsafeBytes { buffer throws(PKCS12Failure) in
                let words = unsafe buffer.bindMemory(to: CChar.self).baseAddress
                let known = try file.authenticate(unsafe Passphrase(bytes: words, count: length), &cost)
                var reader = PKCS12Reader(passphrase: known, cost: cost, depth: limits.depth)
                unsafe try reader.read(file.pointer)
                return reader.content
            }
        }
    }

    /// A passphrase as OpenSSL wants it: an empty one may mean no bytes at all or an empty text. Used only while the
    /// caller's bytes are lent.
    @safe
    struct Passphrase {
        let bytes: UnsafePointer<CChar>?
        let count: Int
    }

    /// Owns OpenSSL's object.
    @safe
    private final class File {
        let pointer: OpaquePointer

        init(_ bytes: [UInt8]) throws(PKCS12Failure) {
            var file = unsafe PKCS12_init_ex(NID_pkcs7_data, PKCS12Library.shared.context, nil)
            var used = 0
            unsafe bytes.withUnsafeBufferPointer { buffer in
                var next = buffer.baseAddress
                // On failure OpenSSL frees the object and clears the variable.
                _ = unsafe d2i_PKCS12(&file, &next, buffer.count)
                if let start = buffer.baseAddress, let end = unsafe next { used = unsafe end - start }
            }
            guard let file = unsafe file else { throw .malformed }
            unsafe pointer = file
            guard used == bytes.count, unsafe Self.hasSafes(file) else { throw .malformed }
        }

        // They may be left out (RFC 2315 §7). OpenSSL up to 3.0.12 reads them all the same (CVE-2024-0727).
        private static func hasSafes(_ file: OpaquePointer) -> Bool {
            let der = unsafe DER.bytes { unsafe i2d_PKCS12(file, $0) }
            do throws(DERFailure) {
                var reader = DERReader(der[...])
                var outer = try reader.inside()
                _ = try outer.next(DERTag.integer)
                var safes = try outer.inside()
                _ = try safes.next(DERTag.objectIdentifier)
                return try !safes.next(DERTag.context(0, constructed: true)).content.isEmpty
            } catch {
                return false
            }
        }

        deinit { unsafe PKCS12_free(pointer) }

        /// The passphrase in the form that fits the file's authentication code.
        func authenticate(_ passphrase: Passphrase, _ cost: inout PKCS12Cost) throws(PKCS12Failure) -> Passphrase {
            guard unsafe PKCS12_mac_present(pointer) == 1 else { throw .unauthenticated }
            var algorithm: UnsafePointer<X509_ALGOR>?
            var rounds: UnsafePointer<ASN1_INTEGER>?
            unsafe PKCS12_get0_mac(nil, &algorithm, nil, &rounds, pointer)
            let count = unsafe rounds.map { unsafe ASN1_INTEGER_get($0) } ?? 1
            var forms = [passphrase]
            if passphrase.count == 0 {
                forms = unsafe [Passphrase(bytes: nil, count: 0), Passphrase(bytes: Self.empty, count: 0)]
            }
            ERR_clear_error()
            for form in forms {
                try cost.derivation(count)
                unsafe try cost.code(algorithm)
                if unsafe PKCS12_verify_mac(pointer, form.bytes, Int32(form.count)) == 1 { return form }
                // A code that cannot be computed leaves an error; another passphrase leaves none.
                guard ERR_peek_error() == 0 else { throw .unsupported }
            }
            throw .passphrase
        }

        // An empty C text that lives as long as the process.
        nonisolated(unsafe) private static let empty: UnsafePointer<CChar> = {
            let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
            unsafe byte.initialize(to: 0)
            return unsafe UnsafePointer(byte)
        }()
    }
}
