import PaviseLog
import PaviseTransport
import Synchronization
import Testing

/// What libraries and exchanges with servers leave in a log.
@Suite struct LibraryLogTests {
    let sink = MemorySink()

    @Test func `PR3: a library's line is masked, and one below the minimum is not computed`() {
        let log = LibraryLog(LogOutput(sinks: [sink], minimum: .error))
        let asked = Mutex(0)
        func text() -> String {
            asked.withLock { $0 += 1 }
            return "answer for jane@example.org, Authorization: Bearer mF_9.B5f-4.1JqM"
        }
        log.write(.notice, from: "http", text())
        #expect(asked.withLock { $0 } == 0 && sink.lines.isEmpty)
        log.write(.error, from: "http", text())
        let line = sink.lines.first ?? ""
        #expect(line.hasPrefix("library http: answer for «email»"))
        #expect(!line.contains("jane") && !line.contains("mF_9"))
    }

    @Test func `PR7: an exchange shows origin, template and the usual names, and no value that could be a person's`()
        throws
    {
        var request = HTTPRequest(
            "GET", try WebURL("https://cloud.example.org/users/canary-path?token=canary-query#canary"))
        var fields = HTTPFields()
        let hostile = [
            "Authorization", "Cookie", "Set-Cookie", "WWW-Authenticate", "Location", "ETag", "If-None-Match",
            "If-Range",
            "Range", "Content-Range", "Content-Disposition", "DPoP", "DPoP-Nonce", "X-Request-Id", "Referer", "Origin",
            "User-Agent", "Host", "Link", "X-Canary-Name", "X-Api-Key", "Proxy-Authorization",
        ]
        for name in hostile { fields.append(name, "canary-value") }
        fields.append("Content-Type", "text/plain; name=\"canary\"")
        fields.append("Content-Type", "Application/PDF; name=Diagnosis-Canary.pdf")
        fields.append("Accept", "text/html;canary=1;q=0.9, application/json")
        fields.append("Content-Type", "text/plain; format=canary; charset=UTF-8")
        fields.append("Content-Type", "text/plain; charset=canary")
        fields.append("Retry-After", "30")
        request.fields = fields
        for text in [
            LoggedExchange(request, path: "/users/{id}").logText,
            LoggedExchange(request, path: "/users/{id}", status: 503, fields).logText,
        ] {
            #expect(!text.lowercased().contains("canary"), "\(text)")
            #expect(text.hasPrefix("GET https://cloud.example.org/users/{id}"))
            #expect(text.contains(" content-type=application/pdf accept=text/html, application/json"))
            #expect(text.contains(" content-type=text/plain; charset=utf-8 content-type=text/plain "))
            #expect(text.contains(" authorization") && text.contains(" retry-after=30") && text.hasSuffix(" 3 other"))
        }
        request.method = "CANARY"
        #expect(LoggedExchange(request, path: "/").logText.hasPrefix("OTHER "))
        let log = Log(subsystem: "org.example", category: "tests", output: LogOutput(sinks: [sink]))
        log.error("failed: \(public: LoggedExchange(request, path: "/users/{id}", status: 503))")
        #expect(sink.lines.first?.contains("/users/{id} 503") == true)
    }
}
