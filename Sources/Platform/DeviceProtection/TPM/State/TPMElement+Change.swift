internal import PavisePrimitives

extension TPMElement {
    /// Makes the element: a counter in the TPM, a root sealed to it, and the file.
    func create() throws(DeviceFailure) {
        try DeviceFailure.reporting { try DurableFile.makeDirectory(folder) }
        try channel.run(isRepeatable: false) { link in
            try self.changeLock().holding {
                if try TPMStateFile.read(self.path) == nil { try self.createAlone(link) }
            }
        }
    }

    private func createAlone(_ link: TPMLink) throws {
        let value = try Entropy.kernel.bytes(16)
        let index = try freeIndex(link)
        let counter = try define(.eraseCounter, index, value: value.span, policy: [], link)
        do {
            try link.context.authorise(counter, value.span)
            try link.context.increment(counter, session: link.session)
            let epoch = try link.context.read(counter, session: link.session)
            let root = try SecretBytes.random(count: 32)
            let epochKey = try SecretBytes.random(count: 32)
            let state = TPMState(
                vendor: try link.context.manufacturer(), counter: index, counterValue: value, epoch: epoch,
                primary: link.name, sealed: try seal(root, epochKey, at: epoch, counter, link))
            try store(TPMRoot(encrypting: TPMTable(), state, root: root, epochKey: epochKey))
        } catch {
            try? link.context.undefine(counter, session: link.session)
            throw error
        }
    }

    /// Runs `body` with the newest secrets while no other process changes them.
    func changing<Result: ~Copyable & Sendable>(
        _ body: @Sendable (TPMLink, TPMRoot) throws -> Result
    ) throws(DeviceFailure) -> Result {
        try channel.run { link in
            try self.changeLock().holding { try body(link, try self.root(link, isLocked: true)) }
        }
    }

    /// Begins the next epoch: what was sealed before cannot be unsealed any more. The file is written first; a crash
    /// before the counter's step is made good by whoever opens the file next.
    func beginEpoch(_ old: TPMRoot, _ state: TPMState, table: borrowing TPMTable, _ link: TPMLink) throws {
        var next = state
        next.epoch += 1
        let epochKey = try SecretBytes.random(count: 32)
        let table = SharedTable(table)
        let done: Void? = try withCounter(of: old.state, link) { counter in
            next.sealed = try seal(old.root, epochKey, at: next.epoch, counter, link)
            let root = try TPMRoot(
                encrypting: table.table, next, root: old.root.duplicate(), epochKey: epochKey.duplicate())
            try store(root)
            do {
                try link.context.increment(counter, session: link.session)
            } catch {
                // The file may be ahead of the counter: whoever reads it makes the step good, this process as well.
                forget()
                throw error
            }
        }
        guard done != nil else { throw TPMFailure(.erased) }
    }

    /// An index of the owner's range that is not defined.
    func freeIndex(_ link: TPMLink) throws -> UInt32 {
        for _ in 0..<32 {
            let bytes = try Entropy.kernel.bytes(4)
            let random = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let index = 0x01a0_0000 | random & 0x000f_ffff
            if try link.withIndex(index, { _ in }) == nil { return index }
        }
        throw TPMFailure(.storageFull)
    }

    /// Defines an index with the owner's authorisation, which is empty unless somebody set it.
    func define(
        _ kind: TPMIndexKind, _ index: UInt32, value: Span<UInt8>, policy: [UInt8], _ link: TPMLink
    ) throws -> TPMHandle {
        do throws(TPMFailure) {
            return try link.context.define(kind, index, value: value, policy: policy, session: link.session)
        } catch  where error.kind == .wrongAuthorization {
            throw error.meaning(.ownerAuthorization)
        }
    }

    /// Removes indices that are defined; those that are not are fine.
    func undefine(_ indices: [UInt32], _ link: TPMLink) throws {
        for index in indices {
            _ = try link.withIndex(index) { try link.context.undefine($0, session: link.session) }
        }
    }
}

/// A table where a closure can hold it.
private final class SharedTable: Sendable {
    let table: TPMTable
    init(_ table: borrowing TPMTable) { self.table = table.copy() }
}
