internal import PavisePrimitives

extension ProxyRules {
    private static let names = [
        "https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
    ]

    /// The rules of this process's environment, for whoever wants to follow it.
    package static var ofProcess: ProxyRules {
        environment(
            Dictionary(uniqueKeysWithValues: names.compactMap { name in PaviseHome.variable(name).map { (name, $0) } }))
    }

    /// What the variable `PAVISE_PROXY` of a program chooses.
    package static var ofProgram: ProxyRules {
        chosen(by: PaviseHome.variable("PAVISE_PROXY"), named: "PAVISE_PROXY") { .ofProcess }
    }
}
