public import Pavise

extension DiarySecurity {
    /// Keeps a night that a person told, or made of `seen` in a form that was open for a while: what another device
    /// changed of it meanwhile is merged with it, or waits until the person chose.
    ///
    /// - Throws: ``ConsentNeeded`` in the error before the person agreed.
    public func keep(_ night: Night, over seen: Night?) async throws(PaviseError) {
        #if canImport(PaviseSync)
        // Whether there is an account or not, the night is kept.
        if let seen { try? await sync()?.began(with: seen) }
        #endif
        try await with { try $0.keep(night) }
    }

    /// Erases a night here, and what the account keeps of it on this device. The next synchronising erases it on the
    /// others, and what could not be erased of the account's.
    public func erase(_ night: Night) async throws(PaviseError) {
        try await with { try $0.erase(night.id) }
        #if canImport(PaviseSync)
        // Whether the account can be opened or not, the night is gone from the diary.
        try? await sync()?.erased(night)
        #endif
    }
}
