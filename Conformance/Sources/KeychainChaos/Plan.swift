/// What one worker does: a list of operations that follows from the seed alone, so that a run can be repeated.
struct Plan {
    /// Accounts that belong to this worker; nobody else writes them.
    static let accounts = 24
    /// The account that every worker writes and reads: it is there before the first of them, and nobody deletes it.
    static let shared = "shared"
    /// What it holds at first.
    static let first = Value(worker: 0, number: 0)

    let seed: UInt64
    let worker: Int

    /// The service of this worker's own items.
    var service: String { "chaos.\(worker)" }

    /// Operation `number`, the same at each call.
    func operation(_ number: Int) -> Operation {
        var random = SplitMix(state: seed &+ UInt64(worker) &* 0x9E37_79B9 &+ UInt64(number) &* 0x1_0000_01B3)
        let account = "account-\(random.next() % UInt64(Self.accounts))"
        let value = Value(worker: worker, number: number)
        switch random.next() % 100 {
        case 0..<40: return Operation(kind: .add, account: account, value: value)
        case 40..<65: return Operation(kind: .update, account: account, value: value)
        case 65..<80: return Operation(kind: .delete, account: account, value: value)
        case 80..<95: return Operation(kind: .read, account: account, value: value)
        case 95..<98: return Operation(kind: .update, account: Self.shared, value: value)
        default: return Operation(kind: .read, account: Self.shared, value: value)
        }
    }
}

/// One call of the keychain.
struct Operation {
    enum Kind: String {
        case add, update, delete, read
    }

    let kind: Kind
    let account: String
    /// What add and update write.
    let value: Value

    var isShared: Bool { account == Plan.shared }
}

/// A value that tells who wrote it when; its bytes and its length follow from that.
struct Value: Hashable, CustomStringConvertible {
    let worker: Int
    let number: Int

    var description: String { "\(worker).\(number)" }

    init(worker: Int, number: Int) {
        self.worker = worker
        self.number = number
    }

    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".")
        guard parts.count == 2, let worker = Int(parts[0]), let number = Int(parts[1]) else { return nil }
        self.init(worker: worker, number: number)
    }

    /// 0 to 6,000 bytes, most of them short; now and then longer than a page of the database.
    var bytes: [UInt8] {
        var random = SplitMix(state: UInt64(worker) << 32 | UInt64(number))
        let longest: UInt64 = random.next() % 8 == 0 ? 6000 : 200
        let count = Int(random.next() % longest)
        return Array("\(self):".utf8) + (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}

/// A small generator whose sequence follows from its seed (Steele, Lea, Flood 2014).
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
