internal import Pavise
internal import PaviseArguments
internal import PavisePrimitives

/// `pavise connect`: the certificate first, then the authority, then the person.
enum ConnectCommand {
    static let action = Action(
        Command(
            "connect", abstract: "Connect to a server and sign in.",
            discussion: """
                The server's certificate is judged before any credential exists. One that the rules refuse is shown; \
                at a terminal you may approve it, and --approve-certificate does so for a script. The approval holds \
                for this host, port and key and exactly what was shown.

                The sign-in opens the system's browser. Neither the password of --basic nor the secret of \
                --client-secret is ever taken from an argument: they are typed, or are the first line of standard \
                input; the secret may also come from the program PAVISE_ASKPASS. It is kept with the session's tokens, \
                goes to the authority alone, and is wiped when the session ends.

                With --device no browser is needed here: the address and the code that are printed are typed on \
                another device, where the authority offers that (RFC 8628). Ctrl-C gives it up. With --json the first \
                line holds the address and the code, and the result follows.

                With --register the authority makes a client for this connection alone. “pavise disconnect” has it \
                deleted there, where the authority offers that (RFC 7592). Where such a client has a secret, the next \
                sign-in needs --register again.

                A server that signs people in itself is asked what it offers first. A weaker way than it offered \
                before, or than it does not answer about, is a question at a terminal; --accept-weaker answers it for \
                a script, and without either nothing is sent (status 3).

                Servers that only the authority's metadata names are shown with their certificates; at a terminal you \
                agree to the list, and --accept-servers does so for a script. A list that differs is asked about again.

                What the servers showed is remembered. A renewed certificate with the same key needs no word, another \
                key of the same authority is said, anything else is asked about with the difference (status 3 without \
                a terminal).

                With --identity the server and the authority are shown a certificate of yours where they ask for one \
                (“pavise identity”), and nobody else. Tokens that the authority binds to it (RFC 8705) are worth \
                nothing without its key.

                An administrator's rules in /etc/pavise/managed.json, or else in the file PAVISE_MANAGED, come first.

                Connecting again under the same name signs in again.
                """,
            parameters: ConnectOptions.all,
            examples: [
                .init("pavise connect https://cloud.example.org", "Sign in with the browser."),
                .init(
                    "pavise connect https://cloud.example.org --device",
                    "Sign in with a browser on another device."),
                .init(
                    "pavise connect https://cloud.example.org --client-id reports --client-secret <secret.txt",
                    "Sign in as a client that has a secret."),
                .init(
                    "pavise connect https://cloud.example.org --register",
                    "Sign in as a client that is made for it."),
                .init(
                    "pavise connect https://files.example.org --basic ada <password.txt",
                    "Use a password from a file."),
            ])
    ) { invocation, environment in
        let url = try invocation.value(ConnectOptions.url)
        guard url.origin.scheme == .https else { throw ConnectRefusal.withoutTLS }
        try ConnectOptions.check(invocation)
        try environment.checkManagement()
        try await environment.checkLock()
        try await ProgramConnect(invocation, url: url, in: environment).run()
        await environment.connections.finishRevocations()
    }
}
