/// All cases of the attack matrix: each rule of trust, pins, App Transport Security, redirects and credentials.
public enum AttackTable {
    /// The cases in their order.
    public static let all: [AttackCase] = trust
}
