/// All cases of the attack matrix: each rule of trust, pins, App Transport Security, redirects and credentials.
public enum AttackTable {
    /// The cases in their order.
    public static let all: [AttackCase] =
        leaves + names + chains + approvals + keyPins + pinnedHosts + transportSecurity + handshakes + exceptions
        + redirects
        + redirectTargets + credentials + proxies + answers

    /// Where names below `lab.localhost` are needed; every name below `localhost` leads to loopback.
    static let child = "a.lab.localhost"
}
