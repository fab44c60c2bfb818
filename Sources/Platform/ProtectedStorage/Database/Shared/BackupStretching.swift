/// How the key comes from the passphrase.
enum BackupStretching: Hashable, Sendable {
    case argon2id(kibibytes: UInt32, passes: UInt32, lanes: UInt32)
    case pbkdf2(rounds: UInt32)

    /// 128 MiB and 3 passes: about a quarter of a second.
    static let today = argon2id(kibibytes: 131_072, passes: 3, lanes: 1)
    /// Where there is no Argon2id: more than the 210,000 rounds that OWASP's Password Storage Cheat Sheet asks for.
    static let onApple = pbkdf2(rounds: 500_000)

    var format: UInt8 { if case .argon2id = self { 1 } else { 2 } }

    var numbers: [UInt32] {
        switch self {
        case .argon2id(let kibibytes, let passes, let lanes): [kibibytes, passes, lanes]
        case .pbkdf2(let rounds): [rounds, 0, 0]
        }
    }

    // What a file may ask of the machine, and what is too cheap to be ours.
    init?(format: UInt8, _ numbers: [UInt32]) {
        switch format {
        case 1 where numbers[0] <= 1 << 20 && (1...16).contains(numbers[1]) && (1...16).contains(numbers[2]):
            self = .argon2id(kibibytes: numbers[0], passes: numbers[1], lanes: numbers[2])
        case 2 where (100_000...20_000_000).contains(numbers[0]) && numbers[1] == 0 && numbers[2] == 0:
            self = .pbkdf2(rounds: numbers[0])
        default: return nil
        }
    }
}
