/// The four keychain calls in a form without pointers, for the layers above, which never use one.
package enum SecItem {
    /// What a call says.
    package struct Outcome {
        /// 0 or the reason.
        package let status: OSStatus
        /// What was asked for with `kSecReturn…`.
        package let result: CFTypeRef?
        /// Whether anything was asked for. A success may have no result, for an item without data.
        let isResultWanted: Bool

        init(_ result: CFTypeRef?, isResultWanted: Bool) {
            status = errSecSuccess
            self.result = result
            self.isResultWanted = isResultWanted
        }

        init(status: OSStatus) {
            self.status = status
            result = nil
            isResultWanted = false
        }

        /// Runs a call. Without an access group every call is -34018; a failure below gets its status and is noted.
        ///
        /// - Parameter isSearch: Whether the call begins with a search, in which a test's device may lie.
        static func reporting(isSearch: Bool = true, _ body: (SecurityEnvironment) throws -> Outcome) -> Outcome {
            let environment = SecurityEnvironment.current
            guard !environment.accessGroups.isEmpty else { return Outcome(status: errSecMissingEntitlement) }
            do {
                return try AccessRounds.run(environment) { try MetadataKeys.Gap.closing { try body(environment) } }
            } catch {
                KeychainDiagnostics.note(error, environment.home)
                let status = StatusFailure(below: error).status
                let isHidden = isSearch && environment.hidesLocked && status == errSecInteractionNotAllowed
                return Outcome(status: isHidden ? errSecItemNotFound : status)
            }
        }
    }
}

extension ItemQuery {
    /// Refuses a group that is not the program's own, in every call.
    func checkGroup(_ environment: SecurityEnvironment) throws(StatusFailure) {
        guard let group, !environment.visibleGroups.contains(group) else { return }
        throw StatusFailure(errSecMissingEntitlement)
    }
}
