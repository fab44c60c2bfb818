internal import Foundation
internal import PavisePrimitives

/// The words behind a `security` command, read as getopt reads them.
///
/// Letters may be joined (`-ga ada`) and values attached (`-aada`); reading stops at `--` and at the first other word.
struct SecurityArguments {
    /// Where the password of a new item comes from.
    enum Password: Hashable {
        case argument(String)
        case hexadecimal([UInt8])
        case asked
    }

    /// The attributes by their codes, in the types that the keychain takes.
    private(set) var attributes: [String: Any] = [:]
    private(set) var password: Password?
    private(set) var flags: Set<SecurityOption.Meaning> = []
    /// The words behind the options: names of keychains, of which there is one.
    private(set) var rest: ArraySlice<String>
    /// Whether other users of the machine could see the words.
    let isVisible: Bool

    init(_ words: ArraySlice<String>, options: [SecurityOption], isVisible: Bool) throws(SecurityFailure) {
        rest = words
        self.isVisible = isVisible
        while let word = rest.first, word.hasPrefix("-"), word != "-" {
            rest.removeFirst()
            guard word != "--" else { break }
            try read(word.dropFirst(), options)
        }
        // A script that puts options behind a keychain's name means something else than it would get.
        guard !rest.contains(where: { $0.hasPrefix("-") }) else {
            throw .usage("options come before the names of keychains")
        }
    }

    private mutating func read(_ word: Substring, _ options: [SecurityOption]) throws(SecurityFailure) {
        var letters = word
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.letter == letter }) else {
                throw .usage("illegal option -- \(Printable.text(String(letter)))")
            }
            guard option.takesValue else {
                flags.insert(option.meaning)
                continue
            }
            return try set(option, letters.isEmpty ? rest.popFirst() : String(letters))
        }
    }

    private mutating func set(_ option: SecurityOption, _ value: String?) throws(SecurityFailure) {
        guard let value else {
            guard option.meaning == .password else { throw .usage("option requires an argument -- \(option.letter)") }
            password = .asked
            return
        }
        switch option.meaning {
        case .text(let code): attributes[code] = value
        case .bytes(let code): attributes[code] = Data(value.utf8)
        case .number(let code): attributes[code] = try Self.port(value)
        case .fourCharacters(let code): attributes[code] = try Self.number(of: option, value)
        case .code(let code): attributes[code] = try Self.padded(option, value)
        case .password: password = .argument(value)
        case .hexadecimalPassword: password = .hexadecimal(try Self.bytes(value))
        case .showsPassword, .printsPassword, .updates, .ignored: break
        }
    }

    private static func port(_ text: String) throws(SecurityFailure) -> Int {
        guard let port = UInt16(text) else { throw .usage("-P takes a number from 0 to 65535") }
        return Int(port)
    }

    private static func padded(_ option: SecurityOption, _ text: String) throws(SecurityFailure) -> String {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw .usage("-\(option.letter) takes a code of four characters")
        }
        return text + String(repeating: " ", count: 4 - text.utf8.count)
    }

    private static func number(of option: SecurityOption, _ text: String) throws(SecurityFailure) -> Int {
        try padded(option, text).utf8.reduce(0) { $0 << 8 | Int($1) }
    }

    private static func bytes(_ text: String) throws(SecurityFailure) -> [UInt8] {
        guard let bytes = Hex.decode(text) else { throw .usage("-X takes pairs of hexadecimal digits") }
        return bytes
    }
}
