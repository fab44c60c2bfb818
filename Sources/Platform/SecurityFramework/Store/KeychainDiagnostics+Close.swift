internal import PaviseDatabase
internal import PaviseDevice
package import PavisePrimitives

extension KeychainDiagnostics {
    /// Closes what this process has open of `home`, the log moved into the database: the next call reads device and
    /// database from their files again.
    ///
    /// For those who put other files in their place, after a restore or in a test of damage. No call may be under way.
    package static func close(_ home: PaviseHome) {
        OpenStores.forget(home)?.database.close()
        Device.forget(home)
    }
}
