internal import PaviseStorage
internal import PaviseTransport

extension AppSecurity {
    /// `NSPinnedDomains` of this program's Info.plist, which Apple's systems enforce by themselves; `nil` where there
    /// are none.
    static func pinnedDomains() throws(ATSReadingFailure) -> PinnedDomains? {
        #if os(Linux)
        guard let bytes = try InfoPropertyList.ofThisProgram() else { return nil }
        let domains = try PinnedDomains(infoPlist: bytes)
        return domains.entries.isEmpty ? nil : domains
        #else
        return nil
        #endif
    }

    /// Takes a newer list of pins that the app's maker signed. From here on every connection goes by it: open ones are
    /// judged with a new handshake.
    ///
    /// ```swift
    /// let number = try await security.renewPins(list)
    /// ```
    ///
    /// Where the list comes from does not matter: an account's server, a file of an update, a push message.
    ///
    /// - Parameter list: A compact JWS; Documentation/Controls/App.md (FD18) says what stands in it.
    /// - Returns: The list's number.
    /// - Throws: ``PaviseError``: with the code ``PaviseError/Code/forged`` for a list that is not the maker's, that is
    ///   over, or that is older than the known one. The pins stay what they were.
    public func renewPins(_ list: String) async throws(PaviseError) -> Int64 {
        do {
            let taken = try pinStore.take(list, at: connections.now)
            let sets = try pinStore.sets()
            for entry in connections.opened.all {
                await entry.keeper?.follow(pins: entry.descriptor.trustPolicy.pins + sets)
                entry.client?.follow(pins: entry.descriptor.trustPolicy.pins + sets)
            }
            return taken.number
        } catch {
            throw log.told(error)
        }
    }
}
