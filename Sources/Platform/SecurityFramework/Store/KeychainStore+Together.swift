internal import PaviseDatabase
internal import PaviseDevice

extension KeychainStore {
    /// Adds items that belong together, such as the halves of a key: all of them, or none.
    ///
    /// - Throws: As ``add(_:_:)`` does for one of them.
    func addTogether(_ items: [Item], _ environment: SecurityEnvironment) throws {
        let state = environment.lock.state
        let pairs = try items.map { (item: $0, sealed: try seal($0, in: state)) }
        do {
            try database.transaction { transaction in
                for (item, sealed) in pairs {
                    guard let (row, holder) = try transaction.holder(of: sealed.primaryKey, digests) else {
                        try sealed.insert(transaction)
                        continue
                    }
                    _ = try replace(row, holder, with: item, sealed, environment, transaction)
                }
            }
        } catch DatabaseFailure.constraint {
            throw StatusFailure(errSecDuplicateItem)
        }
    }
}
