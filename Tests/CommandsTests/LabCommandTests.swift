import Foundation
import PaviseLab
import PavisePrimitives
import PaviseTransport
import TestSupport
import Testing

/// `pavise-lab`, as a process that runs until it is stopped.
@Suite struct LabCommandTests {
    /// `pavise-lab …` as a process.
    private final class Lab: Sendable {
        private let process = UncheckedTransfer(Process())
        private let output = UncheckedTransfer(Pipe())

        init(_ words: String...) throws {
            process.value.executableURL = URL(fileURLWithPath: PaviseProcess.beside("pavise-lab") ?? "")
            process.value.arguments = words + ["--json"]
            process.value.environment = ["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no", "TMPDIR": "/tmp"]
            process.value.standardOutput = output.value
            try process.value.run()
        }

        /// The next line, as JSON.
        func line() throws -> JSONValue {
            var bytes: [UInt8] = []
            while let byte = try output.value.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A {
                bytes.append(byte)
            }
            return try JSONValue.parse(bytes)
        }

        /// Sends the signal that Ctrl-C sends, and gives the last line and the exit status.
        func stop(_ signal: Int32 = SIGINT) throws -> (JSONValue, Int32) {
            kill(process.value.processIdentifier, signal)
            let last = try line()
            process.value.waitUntilExit()
            return (last, process.value.terminationStatus)
        }

        deinit { if process.value.isRunning { process.value.terminate() } }
    }

    private func client(_ line: JSONValue) throws -> HTTPClient {
        let pem = try String(contentsOfFile: line["anchors"]?.string ?? "", encoding: .utf8)
        let base64 = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        let anchor = try #require(Base64.decode(base64))
        return try HTTPClient(policy: TrustPolicy(anchors: .only([anchor])))
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `servers run until they are stopped, and tell what they got`(_ signal: Int32) async throws {
        let lab = try Lab("servers")
        let line = try lab.line()
        let servers = try #require(line["servers"]?.array)
        #expect(servers.count == WeakServer.allCases.count + 1)
        let client = try client(line)
        for server in servers {
            let request = HTTPRequest("GET", try WebURL(server["address"]?.string ?? ""))
            let isGood = server["name"]?.string == "good"
            #expect((try? await client.send(request))?.status == (isGood ? 200 : nil), "\(server.text)")
        }
        let anchors = try #require(line["anchors"]?.string)
        let (last, status) = try lab.stop(signal)
        #expect(status == 0)
        let told = try #require(last["servers"]?.array)
        #expect(told.map { $0["name"]?.string } == servers.map { $0["name"]?.string })
        for server in told {
            #expect((server["bytes"]?.integer == 0) == (server["name"]?.string != "good"), "\(server.text)")
            // One that nobody reached was not refused.
            #expect((server["connections"]?.integer ?? 0) > 0, "\(server.text)")
        }
        #expect(!FileManager.default.fileExists(atPath: anchors))
    }

    @Test func `a man in the middle with a certificate of the same authority is stopped by the pin that is printed`()
        async throws
    {
        let lab = try Lab("mitm")
        let line = try lab.line()
        let pin = try #require(line["pin"]?.string.flatMap(Pin.init))
        let client = try client(line)
        let pins = try PinSet(hosts: ["127.0.0.1"], leaf: [pin], backup: .notRequired)
        client.use(TrustPolicy(anchors: client.policy.anchors, pins: [pins]))
        let servers = try #require(line["servers"]?.array)
        #expect(servers.compactMap { $0["name"]?.string } == ["honest"] + ManInTheMiddle.allCases.map(\.rawValue))
        for server in servers {
            let name = server["name"]?.string
            let request = HTTPRequest("GET", try WebURL(server["address"]?.string ?? ""))
            do throws(TransportFailure) {
                let status = try await client.send(request).status
                #expect(status == 200 && name == "honest", "\(server.text)")
            } catch {
                guard case .untrusted(let refusal) = error else {
                    Issue.record("\(server.text): \(error)")
                    continue
                }
                #expect(name != "honest")
                // The authority is a good one: nothing but the pin tells.
                if name == ManInTheMiddle.trustedAuthority.rawValue { #expect(refusal.failures == [.pinMismatch]) }
            }
        }
        _ = try lab.stop()
    }
}
