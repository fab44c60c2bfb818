internal import Foundation
internal import SecurityFramework

/// One letter of a `security` command, and what its value means.
struct SecurityOption: Sendable {
    /// What happens with the value.
    enum Meaning: Hashable, Sendable {
        /// An attribute of this code that is a text.
        case text(String)
        /// An attribute that is bytes.
        case bytes(String)
        /// An attribute that is four characters, kept as a number.
        case fourCharacters(String)
        /// An attribute that is four characters, kept as a text; shorter ones get blanks.
        case code(String)
        /// An attribute that is a number.
        case number(String)
        /// The password itself. As the last word it has no value, and the password is asked for.
        case password
        /// The password in hexadecimal digits.
        case hexadecimalPassword
        /// Show the password beside the item.
        case showsPassword
        /// Print the password and nothing else.
        case printsPassword
        /// Change an item that exists.
        case updates
        /// Understood and without effect here.
        case ignored
    }

    let letter: Character
    /// The word for the value in help; empty when the option takes none.
    let placeholder: String
    let meaning: Meaning
    let help: String

    init(_ letter: Character, _ placeholder: String, _ meaning: Meaning, _ help: String) {
        self.letter = letter
        self.placeholder = placeholder
        self.meaning = meaning
        self.help = help
    }

    var takesValue: Bool { !placeholder.isEmpty }
}

extension SecurityOption {
    static let account = SecurityOption("a", "ACCOUNT", .text("acct"), "The account.")
    static let creator = SecurityOption("c", "CODE", .fourCharacters("crtr"), "The creator, four characters.")
    static let type = SecurityOption("C", "CODE", .fourCharacters("type"), "The type, four characters.")
    static let domain = SecurityOption("d", "DOMAIN", .text("sdmn"), "The security domain.")
    static let kind = SecurityOption("D", "KIND", .text("desc"), "The kind of item, for a person.")
    static let generic = SecurityOption("G", "VALUE", .bytes("gena"), "The generic attribute.")
    static let comment = SecurityOption("j", "COMMENT", .text("icmt"), "The comment.")
    static let label = SecurityOption("l", "LABEL", .text("labl"), "The label.")
    static let path = SecurityOption("p", "PATH", .text("path"), "The path on the server.")
    static let port = SecurityOption("P", "PORT", .number("port"), "The port.")
    static let protocolName = SecurityOption("r", "CODE", .code("ptcl"), "The protocol, four characters such as htps.")
    static let service = SecurityOption("s", "SERVICE", .text("svce"), "The service.")
    static let server = SecurityOption("s", "SERVER", .text("srvr"), "The server.")
    static let authentication = SecurityOption(
        "t", "CODE", .code("atyp"), "The way of signing in, four characters such as dflt.")

    /// What only `add-…` takes.
    static let adding: [SecurityOption] = [
        SecurityOption("w", "PASSWORD", .password, "The password. As the last word, without a value, it is asked for."),
        SecurityOption("X", "HEX", .hexadecimalPassword, "The password in hexadecimal digits."),
        SecurityOption("U", "", .updates, "Change the item if it exists."),
        SecurityOption("A", "", .ignored, "Accepted; there is no list of trusted programs here."),
        SecurityOption("T", "PROGRAM", .ignored, "Accepted; there is no list of trusted programs here."),
    ]

    /// What only `find-…` takes.
    static let finding: [SecurityOption] = [
        SecurityOption("g", "", .showsPassword, "Show the password too, on standard error."),
        SecurityOption("w", "", .printsPassword, "Print the password and nothing else."),
    ]
}
