import PaviseDatabase
import PavisePrimitives
import Testing

@testable import PaviseProtectedStorage

@Suite struct DatabaseErrorTests {
    @Test func `a failure of the disk that SQLite gives no number for is the disk's, and waiting mends nothing`() {
        // SQLITE_IOERR_READ.
        let error = StorageDatabase.error(.io(code: 266, nil), "/diary.db")
        #expect(error == .storage(.system(SystemFailure(operation: "database", path: "/diary.db", code: 5))))
        guard case .storage(let failure) = error else { return }
        #expect(!failure.isPassing)
    }
}
