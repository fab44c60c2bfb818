import Foundation
import PavisePrimitives
import PaviseTransport
import TestSupport
import Testing

@testable import PaviseStorage

private struct Glossary: CacheableResponse, Equatable { let words: [String] }

@Suite struct `Caches in memory` {
    @Test func `DR20: the entry that was not used for the longest time goes first, as a list of a model says`() {
        var random = SystemRandomNumberGenerator()
        let cache = MemoryCache<Int, Int>(countLimit: 10, byteLimit: 100)
        var model: [(key: Int, bytes: Int)] = []
        for step in 0..<5_000 {
            let key = Int.random(in: 0..<30, using: &random)
            if Bool.random(using: &random) {
                let bytes = Int.random(in: 0...40, using: &random)
                cache.set(step, for: key, bytes: bytes)
                model.removeAll { $0.key == key }
                model.append((key, bytes))
                while model.count > 10 || model.reduce(0, { $0 + $1.bytes }) > 100 { model.removeFirst() }
            } else {
                let isKept = model.contains { $0.key == key }
                #expect((cache.value(for: key) != nil) == isKept)
                if let index = model.firstIndex(where: { $0.key == key }) { model.append(model.remove(at: index)) }
            }
            #expect(cache.count == model.count)
        }
    }

    @Test func `a value larger than the cache is not kept, and neither is its older one`() {
        let cache = MemoryCache<String, Int>(countLimit: 10, byteLimit: 100)
        cache.set(1, for: "a", bytes: 50)
        cache.set(2, for: "a", bytes: 101)
        #expect(cache.value(for: "a") == nil)
        let none = MemoryCache<String, Int>(countLimit: 0)
        none.set(1, for: "a")
        #expect(none.count == 0)
    }

    @Test func `a group empties all its caches`() {
        let (one, two) = (MemoryCache<Int, Int>(), MemoryCache<Int, Int>())
        let group = CacheGroup()
        group.add(one)
        group.add(two)
        one.set(1, for: 1)
        two.set(1, for: 1)
        group.empty()
        #expect(one.count == 0 && two.count == 0)
    }

    @Test func `a system that tells nothing of its memory is an error, not a silence`() throws {
        #expect(throws: SystemFailure.self) { _ = try MemoryPressure(path: "/proc/pressure/nothing") {} }
    }
}

/// How many bytes this process gave to calls such as write(2), as the kernel counts them (proc_pid_io(5)).
private enum WrittenBytes {
    static func now() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/io", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("wchar: ") })
        return try #require(Int(line.dropFirst(7)))
    }
}

@Suite struct `Answers of a server that may be kept` {
    private let time = ManualTime()
    private let cache: ResponseCache
    private let request: HTTPRequest

    init() throws {
        cache = ResponseCache(time: time.source)
        request = HTTPRequest("GET", try WebURL("https://cloud.example.org/glossary"))
    }

    private func response(_ fields: [(String, String)] = [], status: Int = 200) -> HTTPResponse {
        var all = HTTPFields()
        for (name, value) in fields { all.append(name, value) }
        return HTTPResponse(status: status, fields: all, body: Array(#"{"words": ["sleep"]}"#.utf8))
    }

    private func value(user: String = "alice", connection: String = "work", count: inout Int) async throws -> Glossary {
        var calls = 0
        let value = try await cache.value(of: Glossary.self, for: request, user: user, connection: connection) {
            calls += 1
            return response()
        }
        count += calls
        return value
    }

    @Test func `an answer is asked for once an hour, and by whichever clock says so first`() async throws {
        var asked = 0
        #expect(try await value(count: &asked) == Glossary(words: ["sleep"]))
        _ = try await value(count: &asked)
        #expect(asked == 1)
        time.advance(seconds: 3_599)
        _ = try await value(count: &asked)
        #expect(asked == 1)
        time.advance(seconds: 1)
        _ = try await value(count: &asked)
        #expect(asked == 2)
        time.setWall(seconds: time.source.wallSeconds - 10)
        _ = try await value(count: &asked)
        #expect(asked == 3)
        time.setWall(seconds: time.source.wallSeconds + 4_000)
        _ = try await value(count: &asked)
        #expect(asked == 4)
        time.reboot()
        _ = try await value(count: &asked)
        #expect(asked == 5)
    }

    @Test(arguments: [-315_360_000, 315_360_000] as [Int64])
    func `DR21: an answer is stale when the clock is ten years off, and a new one is kept by that clock`(
        _ seconds: Int64
    ) async throws {
        var asked = 0
        _ = try await value(count: &asked)
        time.setWall(seconds: time.source.wallSeconds + seconds)
        _ = try await value(count: &asked)
        #expect(asked == 2)
        _ = try await value(count: &asked)
        #expect(asked == 2)
        time.advance(seconds: 3_600)
        _ = try await value(count: &asked)
        #expect(asked == 3)
    }

    @Test func `DR20: an answer that was under way while the cache was emptied is not kept`() async throws {
        let post = HTTPRequest("POST", request.url)
        let removals: [(ResponseCache) -> Void] = [
            { $0.removeAll() }, { $0.removeAll(of: "work") },
            { _ = $0.keep(Glossary(words: []), of: response(), to: post, user: "bob", connection: "work") },
        ]
        for remove in removals {
            let value = try await cache.value(of: Glossary.self, for: request, user: "alice", connection: "work") {
                remove(cache)
                return response()
            }
            #expect(value == Glossary(words: ["sleep"]))
            #expect(cache.kept(Glossary.self, request, user: "alice", connection: "work") == nil)
        }
    }

    @Test(arguments: [true, false])
    func `DR19: a change whose answer is no value, or does not come, takes what is kept away`(
        _ answers: Bool
    ) async throws {
        var asked = 0
        _ = try await value(count: &asked)
        let post = HTTPRequest("POST", request.url)
        await #expect(throws: (any Error).self) {
            _ = try await cache.value(of: Glossary.self, for: post, user: "alice", connection: "work") {
                guard answers else { throw CancellationError() }
                return HTTPResponse(status: 204, fields: HTTPFields(), body: [])
            }
        }
        #expect(cache.kept(Glossary.self, request, user: "alice", connection: "work") == nil)
    }

    @Test func `DR21: setting the clock back does not make an answer younger than the time since boot says`()
        async throws
    {
        var asked = 0
        _ = try await value(count: &asked)
        time.advance(seconds: 3_600)
        time.setWall(seconds: time.source.wallSeconds - 3_595)
        _ = try await value(count: &asked)
        #expect(asked == 2)
    }

    @Test func `DR21: a hundred answers are kept and given without a byte written anywhere`() async throws {
        await #expect(processExitsWith: .success) {
            let cache = ResponseCache()
            let before = try WrittenBytes.now()
            for number in 0..<100 {
                let request = HTTPRequest("GET", try WebURL("https://cloud.example.org/\(number)"))
                let response = HTTPResponse(status: 200, fields: HTTPFields(), body: [])
                let value = Glossary(words: [String(repeating: "canary", count: 1_000)])
                guard cache.keep(value, of: response, to: request, user: "a", connection: "c") == nil,
                    cache.kept(Glossary.self, request, user: "a", connection: "c") == value
                else { exit(2) }
            }
            guard try WrittenBytes.now() == before else { exit(3) }
            cache.removeAll()
            guard try WrittenBytes.now() == before else { exit(4) }
            // The count sees what is written.
            let folder = try TemporaryFolder()
            try Data([1]).write(to: URL(fileURLWithPath: folder.path + "/a"))
            guard try WrittenBytes.now() > before else { exit(5) }
        }
    }

    @Test func `another user and another connection get an answer of their own`() async throws {
        var asked = 0
        _ = try await value(count: &asked)
        _ = try await value(user: "bob", count: &asked)
        _ = try await value(connection: "home", count: &asked)
        #expect(asked == 3)
        cache.removeAll(of: "work")
        _ = try await value(connection: "home", count: &asked)
        #expect(asked == 3)
        _ = try await value(count: &asked)
        #expect(asked == 4)
        cache.removeAll()
        _ = try await value(connection: "home", count: &asked)
        #expect(asked == 5)
    }

    @Test(arguments: [
        ([("Cache-Control", "no-store")], NotCachedReason.forbiddenByServer),
        ([("Cache-Control", "private, max-age")], .forbiddenByServer),
        ([("Cache-Control", "private, No-Store")], .forbiddenByServer),
        ([("Cache-Control", "no-cache=\"Set-Cookie\"")], .forbiddenByServer),
        ([("Cache-Control", "max-age=0")], .forbiddenByServer), ([("Cache-Control", "max-age=x")], .forbiddenByServer),
        ([("Pragma", "no-cache")], .forbiddenByServer), ([("Set-Cookie", "a=b")], .setsCookie),
        ([("Vary", "*")], .varies), ([("Vary", "Accept, Authorization")], .varies),
    ])
    func `DR19: what the server forbids is not kept`(_ fields: [(String, String)], _ reason: NotCachedReason) {
        let value = Glossary(words: [])
        #expect(cache.keep(value, of: response(fields), to: request, user: "a", connection: "c") == reason)
        #expect(cache.kept(Glossary.self, request, user: "a", connection: "c") == nil)
    }

    @Test(arguments: [201, 204, 206, 301, 401, 404, 500])
    func `an answer with another status is not kept`(_ status: Int) {
        #expect(
            cache.keep(Glossary(words: []), of: response(status: status), to: request, user: "a", connection: "c")
                == .notPlainSuccess)
    }

    @Test func `only answers to GET are kept, and a server's shorter time holds`() {
        var post = request
        post.method = "POST"
        #expect(
            cache.keep(Glossary(words: []), of: response(), to: post, user: "a", connection: "c") == .notPlainSuccess)
        let short = response([("Cache-Control", "max-age=60, private"), ("Vary", "Accept-Encoding, accept")])
        #expect(cache.keep(Glossary(words: []), of: short, to: request, user: "a", connection: "c") == nil)
        time.advance(seconds: 59)
        #expect(cache.kept(Glossary.self, request, user: "a", connection: "c") != nil)
        time.advance(seconds: 1)
        #expect(cache.kept(Glossary.self, request, user: "a", connection: "c") == nil)
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "HEAD", "PROPFIND"])
    func `DR20: a request that is no GET is sent, and never answered by what a GET brought`(_ method: String)
        async throws
    {
        var asked = 0
        _ = try await value(count: &asked)
        var other = request
        other.method = method
        #expect(cache.kept(Glossary.self, other, user: "alice", connection: "work") == nil)
        var isSent = false
        let value = try await cache.value(of: Glossary.self, for: other, user: "alice", connection: "work") {
            isSent = true
            return HTTPResponse(status: 200, fields: HTTPFields(), body: Array(#"{"words": ["new"]}"#.utf8))
        }
        #expect(isSent && value == Glossary(words: ["new"]))
        // RFC 9111 §4.4: what may have changed is asked for again.
        _ = try await self.value(count: &asked)
        #expect(asked == (method == "HEAD" ? 1 : 2))
    }

    // Now is 1 July 2026, 12:00:00.
    @Test(
        arguments: [
            ([("Expires", "0")], 0), ([("Expires", "-1")], 0), ([("Expires", "")], 0),
            ([("Expires", "Wed, 01 Jul 2026 11:59:00 GMT")], 0), ([("Expires", "Wed, 01 Jul 2026 12:00:00 GMT")], 0),
            ([("Expires", "Wed, 01 Jul 2026 12:01:00 GMT")], 60),
            ([("Expires", "Fri, 03 Jul 2026 12:00:00 GMT")], 3_600),
            // By the server's clock, and not by ours; an answer that took long is older.
            ([("Expires", "Wed, 01 Jul 2026 12:12:00 GMT"), ("Date", "Wed, 01 Jul 2026 12:10:00 GMT")], 120),
            ([("Expires", "Wed, 01 Jul 2026 12:12:00 GMT"), ("Date", "Wed, 01 Jul 2026 11:59:00 GMT")], 720),
            ([("Date", "Wed, 01 Jul 2026 10:00:00 GMT")], 0), ([("Date", "nonsense")], 3_600),
            ([("Cache-Control", "max-age=60"), ("Expires", "0")], 60),
            ([("Cache-Control", "max-age=60"), ("Age", "20")], 40),
            ([("Cache-Control", "max-age=60"), ("Age", "60")], 0),
            ([("Cache-Control", "max-age=86400"), ("Age", "3000")], 600), ([("Age", "100")], 3_500),
            ([("Age", "-5")], 0), ([("Age", "x")], 0), ([("Age", "99999999999999999999")], 0),
            ([("Cache-Control", "max-age=+60")], 0), ([("Cache-Control", "max-age=60, max-age=30")], 30),
        ] as [([(String, String)], Int64)])
    func `DR19: an answer is kept for as long as it is fresh by what the server says, and an hour at most`(
        _ fields: [(String, String)], _ seconds: Int64
    ) {
        time.setWall(seconds: 1_782_907_200)
        let reason = cache.keep(Glossary(words: []), of: response(fields), to: request, user: "a", connection: "c")
        #expect(reason == (seconds == 0 ? .forbiddenByServer : nil))
        guard seconds > 0 else { return }
        time.advance(seconds: Double(seconds - 1))
        #expect(cache.kept(Glossary.self, request, user: "a", connection: "c") != nil)
        time.advance(seconds: 1)
        #expect(cache.kept(Glossary.self, request, user: "a", connection: "c") == nil)
    }

    @Test func `the fields that an answer may vary by are part of the key`() {
        var german = request
        german.fields.append("Accept-Language", "de")
        #expect(cache.keep(Glossary(words: ["en"]), of: response(), to: request, user: "a", connection: "c") == nil)
        #expect(cache.kept(Glossary.self, german, user: "a", connection: "c") == nil)
    }
}
