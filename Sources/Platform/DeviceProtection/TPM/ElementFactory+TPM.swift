extension ElementFactory {
    /// The TPM that ``TPMAddress/find(named:machine:)`` finds. A wrong `PAVISE_TPM` counts as one: its failure is
    /// reported when it is opened, instead of going on without hardware.
    package static let tpm = ElementFactory(
        kind: .tpm,
        availability: {
            do {
                return try TPMAddress.find().availability
            } catch {
                return .usable
            }
        },
        open: { folder, mayCreate throws(DeviceFailure) in
            let address = try DeviceFailure.reporting { try TPMAddress.find() }
            guard case .address(let address) = address else { throw .elementMissing(ElementKind.tpm.name) }
            return try TPMElement.open(folder, at: address, mayCreate: mayCreate)
        })

    /// The TPM at `address`, whatever the environment says.
    package static func tpm(at address: TPMAddress) -> ElementFactory {
        ElementFactory(
            kind: .tpm, availability: { .usable },
            open: { folder, mayCreate throws(DeviceFailure) in
                try TPMElement.open(folder, at: address, mayCreate: mayCreate)
            })
    }
}
