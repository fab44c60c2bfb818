import Foundation
import PavisePrimitives
import TestSupport

/// A copy of one of the homes in Tests/GoldenHomes. The README there says who made them, and with which commands.
struct GoldenHome {
    /// The access groups of the program that made them.
    static let groups = ["org.example.golden", "org.example.shared"]
    /// The passcode of the home `passcode`.
    static let passcode = "open sesame 7"
    /// What was encrypted for the element's key.
    static let message = "for the element"
    /// The protection classes that need no passcode.
    static let accessibilities = ["ak", "ck", "dk", "aku", "cku", "dku"]
    /// The software keys of the home `objects`: type and bits.
    static let keys: [(type: String, bits: Int)] = [
        ("73", 256), ("73", 384), ("73", 521), ("42", 2048), ("105", 256), ("106", 256),
    ]

    /// Where new homes are made; `nil` in every run but that of a maker.
    static let target = ProcessInfo.processInfo.environment["PAVISE_GOLDEN_HOMES"]

    let folder: TemporaryFolder
    let home: PaviseHome

    /// Copies the home called `name`: whatever a test does to it, the next one finds it as it was made.
    init(_ name: String) throws {
        folder = try TemporaryFolder()
        home = PaviseHome(path: try folder.copyGoldenHome(name))
    }
}

/// What the maker of a home wrote down beside it: public keys, a packet, a reference; by name, in base64.
struct GoldenRecord {
    private var values: [String: String] = [:]

    init() {}

    init(_ home: PaviseHome) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: home.path + "/record.json"))
        values = try JSONDecoder().decode([String: String].self, from: bytes)
    }

    subscript(name: String) -> Data? {
        get { values[name].flatMap { Data(base64Encoded: $0) } }
        set { values[name] = newValue?.base64EncodedString() }
    }

    func write(_ home: PaviseHome) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(values).write(to: URL(fileURLWithPath: home.path + "/record.json"))
    }
}
