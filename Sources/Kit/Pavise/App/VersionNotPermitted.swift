internal import PaviseIntegrity
internal import PaviseManaged

/// This version of Pavise is older than the administrator permits: nothing is opened.
struct VersionNotPermitted: Error, Hashable {
    /// The oldest that may be used.
    let least: PaviseVersion

    /// Throws where the rules ask for a later version than this one.
    static func check(_ rules: ManagedConfiguration?) throws(VersionNotPermitted) {
        guard let least = rules?.device.refusal(of: BuildFacts.version) else { return }
        throw VersionNotPermitted(least: least)
    }
}
