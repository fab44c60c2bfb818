#if os(Linux)
import Foundation
import Glibc
import PaviseProtectedStorage
import PaviseStorage
import Testing

/// A process in which something else was at SQLite before (data-at-rest/DR9).
@Suite struct EarlierSQLiteTests {
    // sqlite3_initialize(): from then on nobody can choose SQLite's memory any more. Its header is in no module here.
    private static func useSQLite() {
        guard let symbol = unsafe dlsym(nil, "sqlite3_initialize") else { exit(7) }
        let initialize = unsafe unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)
        guard initialize() == 0 else { exit(8) }
    }

    @Test func `DR9: where memory cannot be wiped no database is opened whose key a lock takes away`() async {
        await #expect(processExitsWith: .success) {
            EarlierSQLiteTests.useSQLite()
            for protection in ProtectionClass.allCases {
                let fixture = try DatabaseFixture()
                do {
                    try fixture.open(protection).close()
                    guard !protection.needsUnlocked else { exit(1) }
                } catch ProtectedDatabaseError.memoryNotWiped {
                    guard protection.needsUnlocked else { exit(2) }
                }
            }
        }
    }
}
#endif
