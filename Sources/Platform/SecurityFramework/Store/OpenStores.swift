internal import PaviseDatabase
internal import PaviseDevice
internal import PavisePrimitives
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The stores that this process has open, one for each home.
enum OpenStores {
    private struct Entry {
        let process: Int32
        let store: KeychainItemStore
    }
    private static let stores = Mutex<[String: Entry]>([:])
    // A test suite goes through hundreds of homes; old ones are let go.
    private static let mostKept = 32
    // Threads that come together open one store between them, not one each.
    private static let opening = Mutex(())

    /// The store of `home`.
    ///
    /// A connection is never used by a child after fork, and never after somebody removed the file or erased the
    /// device.
    static func store(_ home: PaviseHome) throws -> KeychainItemStore { try looked(home, for: .writing).store }

    /// The store of `home`, and how its device was on the disk when it was found open; `nil` when it was opened just
    /// now.
    ///
    /// - Throws: -25300 for a search in a home that has neither a device nor a keychain: a search makes none.
    static func looked(
        _ home: PaviseHome, for purpose: KeychainItemStore.Purpose
    ) throws -> (store: KeychainItemStore, snapshot: Device.Snapshot?) {
        let found = try opened(home, for: purpose)
        if purpose == .writing { try found.store.complete() }
        return found
    }

    private static func opened(
        _ home: PaviseHome, for purpose: KeychainItemStore.Purpose
    ) throws -> (store: KeychainItemStore, snapshot: Device.Snapshot?) {
        if let kept = kept(home, for: purpose) { return kept }
        guard try purpose == .writing || !isNew(home) else { throw StatusFailure(errSecItemNotFound) }
        return try opening.withLock { _ in
            if let kept = kept(home, for: purpose) { return kept }
            let store = try KeychainItemStore.open(home, for: purpose)
            stores.withLock { stores in
                if stores.count >= mostKept { stores.removeAll() }
                stores[home.path] = Entry(process: ForkSafePID.current, store: store)
            }
            return (store, nil)
        }
    }

    // Whether it is certain that nothing was made yet.
    private static func isNew(_ home: PaviseHome) throws -> Bool {
        for part in [PaviseHome.Part.device, .keychain] {
            try home.check(part)
            guard try DurableFile.presence(of: home.path(of: part)).get() == nil else { return false }
        }
        return true
    }

    private static func kept(
        _ home: PaviseHome, for purpose: KeychainItemStore.Purpose
    ) -> (store: KeychainItemStore, snapshot: Device.Snapshot?)? {
        guard let entry = stores.withLock({ $0[home.path] }), entry.process == ForkSafePID.current,
            entry.store.isInPlace(for: purpose), let kept = Device.kept(home), kept.device === entry.store.device
        else { return nil }
        return (entry.store, kept.snapshot)
    }

    /// Forgets the store of `home`, so that the next call opens it again.
    ///
    /// - Returns: The store that was forgotten.
    @discardableResult
    static func forget(_ home: PaviseHome) -> KeychainItemStore? {
        stores.withLock { $0.removeValue(forKey: home.path)?.store }
    }
}

extension StatusFailure {
    /// The status for a failure below the keychain.
    init(below failure: any Error) {
        switch failure {
        case let failure as StatusFailure: self = failure
        case let failure as DatabaseFailure: self.init(Self.status(failure))
        case let failure as DeviceFailure: self.init(Self.status(failure))
        case let failure as SystemFailure: self.init(Self.status(failure))
        case is KeychainSchema.Newer: self.init(errSecWrongSecVersion)
        case is ItemSeal.Damaged, is ByteReader.Truncated: self.init(errSecDecode)
        default: self.init(errSecNotAvailable)
        }
    }

    /// The status for a failure of the device.
    static func status(_ failure: DeviceFailure) -> OSStatus {
        switch failure {
        case .wrongPasscode, .wrongPassword, .passcodeBlocked, .tryLater, .noPasscode, .erased, .contextInvalid:
            errSecAuthFailed
        case .cancelled: errSecUserCanceled
        case .notInteractive, .locked: errSecInteractionNotAllowed
        case .passcodeLength, .invalidInput: errSecParam
        case .system(let failure): status(failure)
        case .newer, .damaged, .deviceLost, .unknownKey, .busy, .crypto, .passcodeExists, .elementMissing, .hardware,
            .foreignMark, .hardwareRequired, .hardwareNotPermitted, .managed:
            errSecNotAvailable
        }
    }

    private static func status(_ failure: DatabaseFailure) -> OSStatus {
        switch failure {
        case .full: errSecDiskFull
        case .readOnly: errSecReadOnly
        case .io(_, let system?) where system.isDiskFull || system.isUnreadable: status(system)
        case .io: errSecIO
        // The keychain's database never forgets its key while it is open: items are locked one by one.
        case .wrongKeyOrDamaged, .corrupt, .busy, .constraint, .locked, .other: errSecNotAvailable
        }
    }

    private static func status(_ failure: SystemFailure) -> OSStatus {
        if failure.isDiskFull { return errSecDiskFull }
        if failure.code == EIO { return errSecIO }
        // What may not be read cannot be opened; what may only be read is read-only.
        return failure.isNotPermitted && !failure.isUnreadable ? errSecReadOnly : errSecNotAvailable
    }
}
