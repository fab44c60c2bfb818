internal import PavisePrimitives
internal import PaviseTransport
internal import SecurityFramework

/// Asks several servers, some of them at the same time.
struct DiagnosisRun: Sendable {
    let environment: Environment
    let urls: [WebURL]
    let anchors: @Sendable () -> TrustAnchors
    let place: ServerProbe.Endpoint?
    let jobs: Int

    /// The reports in the order of the addresses. `show` gets each as soon as it and those before it are there.
    func reports(_ show: (DiagnosisReport) throws -> Void) async throws -> [DiagnosisReport] {
        let links = environment.links()
        return try await withThrowingTaskGroup(of: (Int, DiagnosisReport).self) { group in
            var waiting = urls.enumerated().makeIterator()
            var done: [Int: DiagnosisReport] = [:]
            var reports: [DiagnosisReport] = []
            for _ in 0..<jobs {
                guard let (index, url) = waiting.next() else { break }
                group.addTask { (index, await report(url, links)) }
            }
            while let (index, report) = try await group.next() {
                done[index] = report
                if let (next, url) = waiting.next() { group.addTask { (next, await self.report(url, links)) } }
                while let next = done.removeValue(forKey: reports.count) {
                    reports.append(next)
                    try show(next)
                }
                tellProgress(reports.count + done.count)
            }
            return reports
        }
    }

    private func report(_ url: WebURL, _ links: LocalLinks) async -> DiagnosisReport {
        let probe = ServerProbe(
            origin: url.origin, place: place, anchors: anchors, seconds: environment.time.wallSeconds)
        let result = await probe.run()
        return DiagnosisReport(
            url: url, diagnosis: result.diagnosis, handshakes: result.seen, plainHTTP: result.http,
            isDirect: links.isDirect(url.origin), asked: probe.seconds,
            expiry: result.notAfter.map { .expiry(of: $0, at: environment.time.wallSeconds) }, keys: result.keys)
    }

    // One line that is written over, for a person who waits for many servers.
    private func tellProgress(_ done: Int) {
        guard urls.count > 3, environment.console.messages.isTerminal else { return }
        let filled = done * 30 / urls.count
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
        let end = done == urls.count ? "\n" : ""
        try? environment.console.messages.write(Array("\r\(bar) \(done) of \(urls.count)\(end)".utf8))
    }
}
