internal import PaviseCrypto
package import PavisePrimitives

extension Device {
    /// Wraps the key of a file that may be written while locked: class B, CompleteUnlessOpen. Needs no unlock.
    ///
    /// - Returns: 72 bytes to keep with the file.
    package func wrapUnlessOpen(_ key: borrowing SecretBytes) throws(DeviceFailure) -> [UInt8] {
        guard let pair = try current().bag.pairs[.unlessOpen] else { throw .damaged(file: path) }
        do {
            return try UnlessOpen.wrap(key, to: pair.publicKey)
        } catch {
            return try DeviceFailure.reporting { throw error }
        }
    }

    /// Unwraps the key of such a file. A key that is in use already stays with its owner through a lock.
    ///
    /// - Throws: ``DeviceFailure/locked`` unless the device is unlocked; ``DeviceFailure/unknownKey`` for other bytes.
    package func unwrapUnlessOpen(_ blob: [UInt8]) throws(DeviceFailure) -> SecretBytes {
        let (bag, keeper) = try current()
        guard let pair = bag.pairs[.unlessOpen] else { throw .damaged(file: path) }
        let secret = try privateHalf(of: pair, bag, keeper)
        return try DeviceFailure.reporting { try UnlessOpen.unwrap(blob, with: secret) }
    }

    private func privateHalf(
        of pair: WrappedPair, _ bag: Keybag, _ keeper: KeybagWrapper
    ) throws(DeviceFailure) -> SecretBytes {
        if pair.privateKey.method == .element {
            return try keeper.unwrap(pair.privateKey, PairKind.unlessOpen.label, nil)
        }
        let name = name(.unlessOpen, bag)
        guard let place = environment.places.first(where: { $0.has(name) }), let kept = place.read(name) else {
            throw .locked
        }
        return kept
    }

    /// The name of the unlocked private half of a pair.
    func name(_ kind: PairKind, _ bag: Keybag) -> String {
        name(of: .whenUnlocked, bag) + ":pair\(kind.rawValue)"
    }
}
