extension ElementMaker {
    /// The TPM that ``TPMAddress/current()`` finds. A wrong `PAVISE_TPM` counts as one: its failure is reported when it is
    /// opened, instead of going on without hardware.
    package static let tpm = ElementMaker(
        kind: .tpm,
        isUsable: {
            do {
                return try TPMAddress.current() != nil
            } catch {
                return true
            }
        },
        open: { folder, mayCreate throws(DeviceFailure) in
            let address = try DeviceFailure.reporting { try TPMAddress.current() }
            guard let address else { throw .elementMissing(ElementKind.tpm.name) }
            return try TPMElement.open(folder, at: address, mayCreate: mayCreate)
        })

    /// The TPM at `address`, whatever the environment says.
    package static func tpm(at address: TPMAddress) -> ElementMaker {
        ElementMaker(
            kind: .tpm, isUsable: { true },
            open: { folder, mayCreate throws(DeviceFailure) in
                try TPMElement.open(folder, at: address, mayCreate: mayCreate)
            })
    }
}
