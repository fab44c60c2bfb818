internal import PavisePrimitives

@testable internal import PaviseDevice

extension FuzzTarget {
    /// What the element of a TPM reads back: its file, and the handles that callers keep. Neither asks a TPM.
    static let tpm = [tpmState, tpmBlob, tpmAddress, tpmFailure]

    private static let tpmState = FuzzTarget(
        "tpm-state",
        seeds: {
            var state = TPMState(
                vendor: 1, counter: 2, counterValue: [UInt8](repeating: 3, count: 16), epoch: 4, primary: [5],
                sealed: TPMObject(area: [6], hidden: [7]))
            state.nonce = [UInt8](repeating: 8, count: 12)
            let small = state.encoded
            state.guards = [9, 10]
            state.leftOver = [11]
            state.table = [UInt8](repeating: 12, count: 64)
            return [small, state.encoded]
        },
        run: { bytes in
            guard let state = TPMState(bytes) else { return }
            require(state.encoded == bytes, "a state does not write the bytes that it read")
        })

    // Also the public half goes through the TPM stack's own parser.
    private static let tpmBlob = FuzzTarget(
        "tpm-blob",
        seeds: {
            // A P-256 public area as TPM 2.0 part 2 writes it, with a point of ones.
            let head: [UInt8] = [0x00, 0x56, 0x00, 0x23, 0x00, 0x0b, 0x00, 0x06, 0x04, 0x72, 0x00, 0x00]
            let scheme: [UInt8] = [0x00, 0x10, 0x00, 0x10, 0x00, 0x03, 0x00, 0x10]
            let number = [0x00, 0x20] + [UInt8](repeating: 1, count: 32)
            let object = TPMObject(area: head + scheme + number + number, hidden: [1, 2, 3])
            let secret = SecretBytes(copying: [UInt8](repeating: 4, count: 32).span)
            let identity = [UInt8](repeating: 5, count: 16)
            return [
                try TPMBlob(.key, identity: identity, object: object, secret: secret).bytes,
                try TPMBlob(.guardian, identity: identity, index: 6, object: object, secret: secret).bytes, object.area,
            ]
        },
        run: { bytes in
            _ = try? TPMContext.point(of: TPMObject(area: bytes, hidden: []))
            for kind in [TPMBlob.Kind.key, .guardian] {
                guard let blob = TPMBlob(kind, bytes) else { continue }
                require(blob.bytes == bytes, "a handle does not write the bytes that it read")
                _ = try? TPMContext.point(of: blob.object)
            }
        })

    private static let tpmAddress = FuzzTarget(
        text: "tpm-address", seeds: ["device:/dev/tpmrm0", "swtpm:host=127.0.0.1,port=2321", "mssim", "tabrmd:"],
        run: { text in
            guard let address = TPMAddress(text) else { return }
            require(address.text == text && text.utf8.count <= 256, "an address that is another text")
        })

    private static let tpmFailure = FuzzTarget(
        "tpm-failure", seeds: { [[0, 0, 0x09, 0x8e], [0, 0x0a, 0, 0x0a]] },
        run: { bytes in
            let code = bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            require(!TPMFailure(code: code).explanation.isEmpty, "a refusal without words")
        })
}
