internal import Pavise
internal import PaviseArguments
internal import PavisePrimitives

/// `pavise connect`: the certificate first, then the authority, then the person.
enum ConnectCommand {
    static let action = Action(
        Command(
            "connect", abstract: "Connect to a server and sign in.",
            discussion: """
                The server's certificate is judged before any credential exists. One that the rules refuse is shown; at a \
                terminal you may approve it, and --approve-certificate does so for a script. The approval holds for this \
                host, port and key and exactly what was shown.

                The sign-in opens the system's browser. The password of --basic is never taken from an argument.

                What the servers showed is remembered. A renewed certificate with the same key needs no word, another key of \
                the same authority is said, anything else is asked about with the difference (status 3 without a terminal).

                An administrator's rules in /etc/pavise/managed.json, or else in the file PAVISE_MANAGED, come first.

                Connecting again under the same name signs in again.
                """,
            parameters: ConnectOptions.all,
            examples: [
                .init("pavise connect https://cloud.example.org", "Sign in with the browser."),
                .init(
                    "pavise connect https://files.example.org --basic ada <password.txt",
                    "Use a password from a file."),
            ])
    ) { invocation, environment in
        let url = try invocation.value(ConnectOptions.url)
        guard url.origin.scheme == .https else {
            throw CommandFailure(.refused, "Plain http is not protected. Use https. Nothing was sent.", rule: "ats")
        }
        try environment.checkManagement()
        try environment.checkLock()
        let plan = try ConnectPlan(invocation, url: url, in: environment)
        if let user = invocation[ConnectOptions.basic] {
            try await BasicConnect(plan: plan, user: user).run()
        } else {
            try await BrowserConnect(plan: plan).run()
        }
    }
}
