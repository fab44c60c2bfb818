import AuditCore
import AuditDriver
import Foundation
import Testing

/// Workers that hang, die, lie and work: no file is lost, and each that was not analysed is said.
@Suite struct WorkerTests {
    private func run(_ script: String, _ files: [String] = ["a.swift", "b.swift"]) -> [String: String?] {
        let pool = WorkerPool(
            files: files.map { ($0, 1) }, command: ["/bin/sh", "-c", script], limit: { _ in 0.05 })
        return Dictionary(uniqueKeysWithValues: pool.run(jobs: 1).map { ($0.file, $0.notAnalysed) })
    }

    private let good = #"{"file":"F","lines":1,"parseErrors":false,"findings":[],"facts":[]}"#

    @Test func `a worker that sleeps is ended, and the next file gets another`() {
        let script = "echo; read f; if [ $f = a.swift ]; then exec sleep 30; fi; echo '\(good)' | sed s/F/$f/; read f"
        #expect(run(script) == ["a.swift": "TIME", "b.swift": nil])
    }

    @Test func `a worker that works too long is ended`() {
        let script =
            "echo; read f; if [ $f = a.swift ]; then while :; do :; done; fi; echo '\(good)' | sed s/F/$f/; read f"
        #expect(run(script) == ["a.swift": "TIME", "b.swift": nil])
    }

    @Test(arguments: ["kill -9 $$", "kill -SEGV $$", "exit 0", "echo '{'", "head -c 100 /dev/zero; echo"])
    func `a worker that dies or talks nonsense loses one file only`(_ act: String) {
        let script = "echo; read f; if [ $f = a.swift ]; then \(act); fi; echo '\(good)' | sed s/F/$f/; read f"
        #expect(run(script) == ["a.swift": "CRASH", "b.swift": nil])
    }

    @Test func `no worker is a result too`() {
        let pool = WorkerPool(files: [("a.swift", 1)], command: ["/nowhere/at-all"])
        #expect(pool.run(jobs: 2).map(\.notAnalysed) == ["NO-WORKER"])
        let result = AuditResult(reports: pool.run(jobs: 1), root: "", seconds: 0)
        #expect(result.status(failOn: .error) == 1)
    }
}
