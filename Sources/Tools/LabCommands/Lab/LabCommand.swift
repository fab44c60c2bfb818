internal import PaviseArguments
internal import PaviseCommands
internal import PaviseLab
internal import PavisePrimitives

/// `pavise-lab`: servers that run until they are stopped. They listen on 127.0.0.1 only.
enum LabCommand {
    static let authority = Action(
        Command(
            "authority", abstract: "Run an OAuth authority until stopped.",
            discussion: """
                An OAuth 2.0 and OpenID Connect authority with a protected resource below /api/ and one behind HTTP \
                Basic below /basic/. Its certificate is made for this run; \(anchorsText)

                With --identity a second server of the same authority demands a certificate of each client (RFC 8705), \
                binds tokens to it, and is named in the metadata for that.

                With --attest a sign-in has to come from a device whose TPM was enrolled (“pavise device attest”) and \
                whose registers are still those of its first quote. With --attest-app it has to come from an \
                installation of that app, from Xcode or from a store, whose key of App Attest was enrolled; with both, \
                from one of the two.

                How it behaves is a list of settings: --set changes one, and a file that --settings names is read \
                again whenever it changes, also while the authority runs. --set wins over the file, the file over \
                the other options, and a line that is taken out is as if it had never been there. What is wrong in \
                the file is said, and has no effect. What goes wrong is a setting too: \
                “fault-token=status:503*2|lost-answer*1” answers 503 twice, then works and loses the answer; \
                “fault-token=none” ends it.

                \(stopText)
                """,
            parameters: [
                LabOptions.port, LabOptions.client, LabOptions.rotation, LabOptions.grace, LabOptions.accessLifetime,
                LabOptions.refreshLifetime, LabOptions.idle, LabOptions.maximumSession, LabOptions.keyRotation,
                LabOptions.identity, LabOptions.attest, LabOptions.attestApp, LabOptions.set, LabOptions.settings,
                LabOptions.records, LabOptions.showsSettings, LabOptions.anchors, Shared.json,
            ],
            examples: [
                .init("pavise-lab authority", "Run one and say how to connect to it."),
                .init("pavise-lab authority --access-lifetime 5", "Let access tokens end after 5 seconds."),
                .init("pavise-lab authority --idle 60 --maximum-session 600", "Let the server end sessions."),
                .init("pavise-lab authority --set demands-proof=yes --set token-type=DPoP", "Demand bound tokens."),
            ])
    ) { invocation, environment in
        let scene = try LabAuthorityScene(invocation)
        if invocation[LabOptions.showsSettings] {
            return try environment.console.show(scene.settings, asJSON: invocation[Shared.json])
        }
        try await LabRun(invocation, environment).play(scene)
    }

    static let files = Action(
        Command(
            "files", abstract: "Run a WebDAV folder until stopped.",
            discussion: """
                A folder of files in memory behind HTTP Basic, empty at the beginning, for “pavise sync” and other \
                clients of WebDAV (RFC 4918). At the end you read how many requests came. For this run, \(anchorsText)

                With --switch it does what real servers do wrong: tags that no condition takes, listings that are \
                late, answers that are slow or lost. A client that loses nothing at a good server may lose something \
                then.

                \(stopText)
                """,
            parameters: [
                LabOptions.port, LabOptions.chunks, LabOptions.resumable, LabOptions.switches,
                LabOptions.showsSwitches, LabOptions.plain, LabOptions.anchors, Shared.json,
            ],
            examples: [
                .init("pavise-lab files", "Run one and say how to synchronise with it."),
                .init("pavise-lab files --plain --port 8008", "Let another client of WebDAV be tested with it."),
                .init(
                    "pavise-lab files --switch young-weak-tags --switch late-listings=3",
                    "Be as apache is in the first second, and late besides."),
            ])
    ) { invocation, environment in
        if invocation[LabOptions.showsSwitches] {
            return try environment.console.show(DAVSwitch.report, asJSON: invocation[Shared.json])
        }
        try await LabRun(invocation, environment).play(LabFilesScene(invocation))
    }

    static let mitm = Action(
        Command(
            "mitm", abstract: "Run an honest server and men in the middle of it.",
            discussion: """
                Each has its own port. The honest server's chain leads to the anchor. One impostor has a certificate \
                of the same authority for another key, which only a pin tells from the true one; the other one's \
                authority bears the same name. At the end you read how many bytes of a request each impostor got: of a \
                careful app none.

                For this run, \(anchorsText)

                \(stopText)
                """,
            parameters: [LabOptions.anchors, Shared.json],
            examples: [.init("pavise-lab mitm --anchors /tmp/lab.pem", "Write the anchor to a file of your choice.")])
    ) { invocation, environment in
        try await LabRun(invocation, environment).play(LabMiddleScene())
    }

    static let servers = Action(
        Command(
            "servers", abstract: "Run servers that a careful app refuses.",
            discussion: """
                One good server, and one for each fault of certificate, key or protocol. At the end you read how many \
                bytes of a request each of them got.

                For this run, \(anchorsText)

                \(stopText)
                """,
            parameters: [LabOptions.anchors, Shared.json],
            examples: [.init("pavise-lab servers --json", "Give the addresses to a test of your app.")])
    ) { invocation, environment in
        try await LabRun(invocation, environment).play(LabServersScene())
    }

    private static let anchorsText =
        "the authority that vouches for it is written to a file, which is gone when the program stops."
    private static let stopText =
        "Ctrl-C or SIGTERM ends it with status 0. With --json each of the two answers is one line."
}
