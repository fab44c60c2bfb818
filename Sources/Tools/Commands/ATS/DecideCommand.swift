internal import PaviseArguments
internal import PavisePrimitives
internal import PaviseTransport

/// `pavise ats decide`: what App Transport Security says about a load, and why.
enum DecideCommand {
    static let action = Action(
        Command(
            "decide", abstract: "Say what App Transport Security decides about an address, and why.",
            discussion: """
                Nothing is loaded: the answer follows from the address and the app's Info.plist alone, by the rules of \
                Apple's published code. Where Apple's documentation gives another answer, the reasons say so.

                The version, the suites and the certificate rules are those of an https load of the same host. With \
                --json, one object on a line for each address.

                Exit status: 0 decided (also for a load that is blocked), 1 the file cannot be read, 2 usage.
                """,
            parameters: [
                ATSOptions.urls, ATSOptions.plist, ATSOptions.client, ATSOptions.direct, ATSOptions.system, Shared.json,
            ],
            examples: [
                .init("pavise ats decide http://example.org", "Is plain http allowed without any key? It is not."),
                .init(
                    "pavise ats decide https://cdn.example.org --plist Info.plist --client media --json",
                    "The same for media in this app, for a program."),
            ])
    ) { invocation, environment in
        let configuration = try configuration(invocation, environment)
        let links = environment.links()
        for url in invocation[ATSOptions.urls] {
            let isDirect =
                switch invocation[ATSOptions.direct] ?? .auto {
                case .auto: links.isDirect(url.origin)
                case .yes: true
                case .no: false
                }
            let decide = { (profile: ATSProfile) in
                ATSDecision(
                    url.origin, isDirect: isDirect, client: invocation[ATSOptions.client] ?? .app,
                    configuration: configuration, mode: invocation[ATSOptions.system] ?? .current, profile: profile)
            }
            let report = DecisionReport(
                url: url, isDirect: isDirect, decision: decide(.current), documented: decide(.documented))
            if invocation[Shared.json] {
                try environment.console.show(text: Printable.json(report.data.text) + "\n")
            } else {
                try environment.console.show(report.report)
            }
        }
    }

    private static func configuration(
        _ invocation: Invocation, _ environment: Environment
    ) throws(CommandFailure) -> ATSConfiguration {
        guard let path = invocation[ATSOptions.plist] else { return .absent }
        let bytes = try environment.propertyList(path)
        do throws(ATSReadingFailure) {
            return try ATSConfiguration(infoPlist: bytes)
        } catch {
            throw CommandFailure(.failed, "“\(Printable.text(path))” is no Info.plist. \(error.description)")
        }
    }
}
