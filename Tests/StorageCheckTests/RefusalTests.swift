import TestSupport
import Testing

/// What must not compile. Each program differs from the first one, which compiles, in one line.
@Suite struct `What the compiler refuses of settings and caches` {
    private static let head = """
        import Foundation
        import PaviseStorage
        import PaviseTransport
        import PavisePrimitives
        enum Theme: String, CaseIterable { case light, dark }
        struct Glossary: CacheableResponse { let words: [String] }
        struct Diagnosis: Decodable, Sendable { let text: String }
        let settings = Settings()
        let cache = ResponseCache()
        let request = HTTPRequest("GET", try WebURL("https://a.example/"))
        func answer() async throws -> HTTPResponse { throw CancellationError() }

        """

    @Test func `what is allowed compiles`() throws {
        let allowed = """
            let theme = SettingKey<Theme>(choice: "theme", default: .light, harmless: "how the app looks")
            let hour = SettingKey<Int>(number: "hour", in: 0...23, default: 21, harmless: "an hour")
            let flag = SettingKey<Bool>(flag: "sounds", default: true, harmless: "sounds")
            let id = SettingKey<UUID?>(identifier: "installation", harmless: "opens nothing")
            try settings.set(.dark, for: theme)
            let words = try await cache.value(of: Glossary.self, for: request, user: "a", connection: "b") { try await \
            answer() }
            """
        #expect(try CompilerCheck.errors(in: Self.head + allowed) == [])
    }

    @Test(arguments: [
        #"let key = SettingKey<String>(choice: "name", default: "", harmless: "no")"#,
        #"let key = SettingKey<[UInt8]>(flag: "bytes", default: [], harmless: "no")"#,
        #"let key = SettingKey<Date>(number: "birthday", in: 0...1, default: Date(), harmless: "no")"#,
        #"let key = SettingKey<Data>(identifier: "data", harmless: "no")"#,
        #"let key = SettingKey<UUID?>(identifier: "a", harmless: "no"); try settings.set("token", for: key)"#,
        #"let name = String("a"); let key = SettingKey<Bool>(flag: name, default: true, harmless: "no")"#,
        #"let key = SettingKey<Bool>(flag: "a", default: true)"#,
    ])
    func `DR23: a setting of free text, of bytes, of a date, without a reason does not compile`(_ line: String) throws {
        #expect(try CompilerCheck.errors(in: Self.head + line) != [])
    }

    @Test func `DR19: an answer of a type that does not say that it is harmless cannot be cached`() throws {
        let line = """
            let value = try await cache.value(of: Diagnosis.self, for: request, user: "a", connection: "b") { try \
            await answer() }
            """
        let errors = try CompilerCheck.errors(in: Self.head + line)
        #expect(errors.contains { $0.contains("CacheableResponse") })
    }

    private static func storage(_ line: String) -> String {
        """
        import PaviseProtectedStorage
        import PaviseStorage
        func make(_ container: ProtectedContainer) throws {
            \(line)
        }
        """
    }

    @Test(arguments: [
        (
            #"_ = try container.files.put([1], named: "a", protection: .complete)"#,
            #"container.files.put([1], named: "a")"#
        ),
        (
            #"_ = try container.database("d", protection: .complete, migrations: [])"#,
            #"container.database("d", migrations: [])"#
        ),
        (#"_ = try ImageCache.open(in: container, protection: .complete)"#, #"ImageCache.open(in: container)"#),
    ])
    func `DR1: a file, a database or a cache on the disk without a class does not compile`(
        _ allowed: String, _ forbidden: String
    ) throws {
        #expect(try CompilerCheck.errors(in: Self.storage(allowed)) == [])
        let errors = try CompilerCheck.errors(in: Self.storage("_ = try \(forbidden)"))
        #expect(errors.contains { $0.contains("protection") }, "\(errors)")
    }
}
