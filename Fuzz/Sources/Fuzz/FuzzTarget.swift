/// A parser of bytes from outside, and what must hold for each input.
struct FuzzTarget: Sendable {
    /// How it is named on the command line.
    let name: String
    /// Inputs to start from, made by the code itself so that they never go stale.
    let seeds: @Sendable () throws -> [[UInt8]]
    /// Takes one input. It must come back without a trap, in time, and with the property kept.
    let run: @Sendable ([UInt8]) -> Void

    init(
        _ name: String, seeds: @escaping @Sendable () throws -> [[UInt8]], run: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.name = name
        self.seeds = seeds
        self.run = run
    }

    /// The same for text.
    init(text name: String, seeds: [String], run: @escaping @Sendable (String) -> Void) {
        self.init(name, seeds: { seeds.map { Array($0.utf8) } }, run: { run(String(decoding: $0, as: UTF8.self)) })
    }

    static let all: [FuzzTarget] =
        primitives + transport + servers + ats + answers + certificates + keyFiles + session + webTokens + stored
        + keychain + tpm + lock + storage + log + documents + attestations + sync

    static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}
