import PavisePrimitives
import Testing

@Suite struct MemoryProtectionTests {
    @Test func `a crash prints no memory`() async throws {
        let crash = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try MemoryProtection.start()
            let canary = Array("canary-5d0c7e61".utf8)
            let index = CommandLine.arguments.count + 1_000
            print(canary[index])
        }
        let words = String(decoding: crash?.standardErrorContent ?? [], as: UTF8.self)
        #expect(!words.contains("canary-5d0c"))
        #expect(!words.contains("Registers"))
        #expect(!words.contains("Crash:"))
    }
}
