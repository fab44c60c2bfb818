internal import PaviseArguments
internal import PaviseCommands
internal import PaviseLab
internal import PavisePrimitives

/// `pavise-lab files`.
struct LabFilesScene: LabScene {
    private let port: UInt16
    private let isPlain: Bool
    private let hasChunks: Bool
    private let isResumable: Bool
    private let settings: [DAVSwitch.Setting]

    init(_ invocation: Invocation) {
        port = invocation[LabOptions.port] ?? 0
        (isPlain, hasChunks) = (invocation[LabOptions.plain], invocation[LabOptions.chunks])
        isResumable = invocation[LabOptions.resumable]
        settings = invocation[LabOptions.switches]
    }

    func start(_ authority: CertificateAuthority) throws -> any LabShow {
        let files = DAVServer(root: hasChunks ? "/remote.php/dav/files/alice" : "/dav")
        let (hasChunks, isResumable, settings) = (hasChunks, isResumable, settings)
        files.set { switches in
            (switches.hasChunks, switches.hasFileIDs, switches.hasResumable) = (hasChunks, hasChunks, isResumable)
            for setting in settings { setting.apply(to: &switches) }
        }
        let identity = isPlain ? nil : try authority.issue()
        let expected = "Basic " + Base64.encode(Array("\(Self.person):\(Self.password)".utf8))
        let server = try LabServer.start(identity, port: port) { request in
            guard request.field("Authorization") == expected else {
                return .text("who are you?", status: 401)
                    .with("WWW-Authenticate", "Basic realm=\"lab\", charset=\"UTF-8\"")
            }
            return files.answer(request)
        }
        return Show(server: server, files: files, pin: identity?.pin)
    }

    private static let person = "alice"
    // pavise:ignore SECRET-LITERAL The lab prints it: anybody may read the samples.
    private static let password = "wonderland"

    private struct Show: LabShow {
        let server: LabServer
        let files: DAVServer
        let pin: String?

        private var address: String { server.address(files.root + "/", host: "localhost") }

        func opening(anchors: String) -> Report {
            var report = Report(
                data: .fields([
                    "address": .string(address), "anchors": .string(anchors), "pin": pin.map { .string($0) },
                    "user": .string(LabFilesScene.person), "password": .string(LabFilesScene.password),
                ]))
            report.add(.success("The folder is at \(address)."))
            report.add(.fact(.init("user", "Person", "\(LabFilesScene.person), password \(LabFilesScene.password)")))
            if let pin {
                report.add(.fact(.init("anchors", "Anchors", anchors)))
                report.add(.fact(.init("pin", "SPKI SHA-256", pin)))
                let origin = server.address("/", host: "localhost")
                let words = "--name files --basic \(LabFilesScene.person) --approve-certificate \(pin)"
                report.add(.line("Try: pavise connect \(origin) \(words)"))
                report.add(.line("Then: pavise sync files FOLDER --remote \(files.root)"))
            }
            report.add(.line("Ctrl-C ends it, and tells what came."))
            return report
        }

        func closing() -> Report {
            let (requests, count) = (server.counters.requests, files.files.count)
            var report = Report(
                data: .fields([
                    "requests": .integer(requests), "files": .integer(count),
                    "bytes": .integer(files.files.values.reduce(0) { $0 + $1.count }),
                ]))
            report.add(.line("Stopped. \(requests) requests came, and \(count) files were there at the end."))
            return report
        }

        func stop() { server.stop() }
    }
}
