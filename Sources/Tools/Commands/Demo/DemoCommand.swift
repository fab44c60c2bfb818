internal import PaviseArguments
internal import PavisePrimitives

/// `pavise demo`: attacks against the real code, on this machine alone.
enum DemoCommand {
    static let action = Action(
        Command(
            "demo", abstract: "Play attacks against a session and show what stops them.",
            discussion: """
                Starts a certificate authority, servers that misbehave and an OAuth authority on loopback, in this process \
                and with a home of its own. Your connections and keychain are not touched. The status is 1 if any scene fails.
                """,
            parameters: [Shared.json], examples: [.init("pavise demo", "Play all scenes.")])
    ) { _, _ in
        throw CommandFailure(.failed, "The demo has no scenes yet.")
    }
}
