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
}
