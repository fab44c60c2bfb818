internal import PavisePrimitives

extension TPMElement {
    /// Steps the counter first, which makes all copies of what is sealed useless, then tidies the TPM and removes the
    /// file. See ``SecureElement/erase()``.
    package func erase() throws(DeviceFailure) {
        let stored = try DeviceFailure.reporting { try TPMStateFile.read(path) }
        guard stored != nil else { return forget() }
        try channel.run { link in
            try self.changeLock().holding {
                if let state = try TPMStateFile.read(self.path)?.state { try self.erase(state, link) }
                try DurableFile.remove(self.path)
                self.forget()
                link.dropKept()
            }
        }
    }

    private func erase(_ state: TPMState, _ link: TPMLink) throws {
        guard link.name == state.primary else { throw TPMFailure(.anotherTPM) }
        _ = try withCounter(of: state, link) { counter in
            // Twice: the file may be one step ahead of the counter.
            try link.context.increment(counter, session: link.session)
            try link.context.increment(counter, session: link.session)
            try link.context.undefine(counter, session: link.session)
        }
        try undefine(state.guards + state.leftOver, link)
    }
}
