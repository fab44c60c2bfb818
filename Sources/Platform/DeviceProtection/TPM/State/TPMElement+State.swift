internal import PaviseCrypto
internal import PavisePrimitives
internal import Synchronization

/// What a process knows of the element: one version of its file, and the secrets of it.
struct TPMCurrent: Sendable {
    let file: TPMStateFile
    let root: TPMRoot
}

extension TPMElement {
    /// The unsealed secrets of the file as it is now; the TPM is asked only when the file changed.
    func root() throws(DeviceFailure) -> TPMRoot {
        if let known = try known() { return known }
        return try channel.run { link in try self.root(link) }
    }

    /// The secrets that are in memory, unless another process changed the file meanwhile.
    private func known() throws(DeviceFailure) -> TPMRoot? {
        guard let known = current.withLock({ $0 }) else { return nil }
        if known.file.isCurrent(at: path) { return known.root }
        forget()
        return nil
    }

    /// Drops the secrets from memory.
    func forget() { current.withLock { $0 = nil } }

    /// Unseals the file as it is now.
    ///
    /// - Parameter isLocked: Whether the caller holds the lock for changes.
    func root(_ link: TPMLink, isLocked: Bool = false) throws -> TPMRoot {
        if let known = try known() { return known }
        for _ in 0..<8 {
            guard let file = try TPMStateFile.read(path) else { throw TPMFailure(.erased) }
            do {
                let root = try unseal(file.state, link, isLocked: isLocked)
                current.withLock { $0 = TPMCurrent(file: file, root: root) }
                return root
            } catch let failure as TPMFailure {
                // Another process made the next version between our look at the file and at the counter.
                guard [.erased, .policy].contains(failure.kind), !file.isCurrent(at: path) else { throw failure }
            }
        }
        throw TPMFailure(.busy)
    }

    private func unseal(_ state: TPMState, _ link: TPMLink, isLocked: Bool) throws -> TPMRoot {
        guard link.name == state.primary else { throw TPMFailure(.anotherTPM) }
        let root = try withCounter(of: state, link) { counter in
            try catchUp(state, counter, link, isLocked: isLocked)
            let unsealed = try link.with(state.sealed) { object in
                try link.withPolicy(.policy) { policy in
                    try link.context.require(counter, equals: state.epoch, in: policy, session: link.session)
                    return try link.context.unseal(object, policy: policy, count: TPMRoot.sealedCount)
                }
            }
            do {
                return try TPMRoot(state, unsealed: unsealed)
            } catch is CryptoFailure {
                throw DeviceFailure.damaged(file: path)
            }
        }
        guard let root else { throw TPMFailure(.erased) }
        return root
    }

    /// Runs `body` with the counter of `state`, authorised; `nil` when there is none.
    func withCounter<Result>(
        of state: TPMState, _ link: TPMLink, _ body: (TPMHandle) throws -> Result
    ) throws -> Result? {
        try link.withIndex(state.counter) { counter in
            try link.context.authorise(counter, state.counterValue.span)
            return try body(counter)
        }
    }

    // A file that is one step ahead of the counter was written just before a crash: the step is made now.
    private func catchUp(_ state: TPMState, _ counter: TPMHandle, _ link: TPMLink, isLocked: Bool) throws {
        let value = try link.context.read(counter, session: link.session)
        if value == state.epoch { return }
        guard value &+ 1 == state.epoch else { throw TPMFailure(.erased) }
        let lock = isLocked ? nil : try changeLock()
        if try link.context.read(counter, session: link.session) == value {
            try link.context.increment(counter, session: link.session)
        }
        _ = consume lock
    }

    /// Lets one process at a time change the file.
    func changeLock() throws -> FileLock {
        try FileLock.acquireBlocking(folder + "/tpm.lock", wait: .seconds(10))
    }

    /// Stores another version. The caller holds the lock for changes.
    func store(_ root: TPMRoot) throws {
        let bytes = root.state.encoded
        try DurableFile.write(bytes.span, to: path)
        guard let file = try TPMStateFile.read(path) else { throw TPMFailure(.erased) }
        current.withLock { $0 = TPMCurrent(file: file, root: root) }
    }

    /// Seals a root and an epoch's key until the counter leaves `epoch`.
    func seal(
        _ root: borrowing SecretBytes, _ epochKey: borrowing SecretBytes, at epoch: UInt64, _ counter: TPMHandle,
        _ link: TPMLink
    ) throws -> TPMObject {
        link.dropKept()
        let digest = try link.withPolicy(.trial) { trial in
            try link.context.require(counter, equals: epoch, in: trial, session: link.session)
            return try link.context.digest(of: trial)
        }
        let both = SecretBytes(count: TPMRoot.sealedCount) { target in
            root.withBytes { for index in 0..<32 { target[index] = $0[index] } }
            epochKey.withBytes { for index in 0..<32 { target[32 + index] = $0[index] } }
        }
        let nothing: [UInt8] = []
        return try both.withBytes {
            try link.context.create(
                .sealed, value: nothing.span, secret: $0, policy: digest, under: link.primary, session: link.session)
        }
    }
}
