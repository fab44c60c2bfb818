internal import Foundation
internal import PaviseArguments
internal import PavisePrimitives

extension SecurityCommand {
    static func findPassword(_ itemClass: PasswordClass) -> SecurityCommand {
        let name = "find-\(itemClass.rawValue)-password"
        return SecurityCommand(
            name, "Show \(itemClass == .generic ? "a" : "an") \(itemClass.rawValue) password.",
            options: itemClass.attributes + SecurityOption.finding,
            discussion: """
                Prints the first item that has all the attributes given; its password only with -g or -w. A password \
                with other characters than printable ASCII is printed in hexadecimal digits.
                """,
            examples: [.init("security \(name) -a ada -s mail.example -w", "Print ada's password.")]
        ) { words, environment in
            let item = try SecurityItems.first(itemClass, words.attributes)
            guard !words.flags.contains(.printsPassword) else { return try print(item, environment) }
            try show(item, code: itemClass.code, environment)
            guard words.flags.contains(.showsPassword) else { return }
            var value = try SecurityItems.value(of: item)
            defer { Wipe.bytes(&value) }
            try environment.console.messages.write(Array("password: \(shown(value))\n".utf8))
        }
    }

    static func deletePassword(_ itemClass: PasswordClass) -> SecurityCommand {
        let name = "delete-\(itemClass.rawValue)-password"
        return SecurityCommand(
            name, "Remove \(itemClass == .generic ? "a" : "an") \(itemClass.rawValue) password.",
            options: itemClass.attributes,
            discussion: "Removes the first item that has all the attributes given, and prints what it was.",
            examples: [.init("security \(name) -a ada -s mail.example", "Remove ada's password.")]
        ) { words, environment in
            let item = try SecurityItems.first(itemClass, words.attributes)
            try SecurityItems.remove(item)
            try show(item, code: itemClass.code, environment)
            try environment.console.messages.write(Array("password has been deleted.\n".utf8))
        }
    }

    /// Prints an item without its value.
    static func show(_ item: [String: Any], code: String, _ environment: Environment) throws(SystemFailure) {
        try environment.console.show(
            text: ItemBlock(item, code: code, keychain: environment.home.keychain).text)
    }

    /// A value behind `password: `; an empty one leaves the place empty.
    static func shown(_ value: [UInt8]) -> String { value.isEmpty ? "" : ItemBlock.quoted(value) }

    private static func print(_ item: [String: Any], _ environment: Environment) throws {
        var value = try SecurityItems.value(of: item)
        defer { Wipe.bytes(&value) }
        let isPlain = value.allSatisfy(ItemBlock.isPlain)
        try environment.console.output.write((isPlain ? value : Array(Hex.encode(value).utf8)) + [10])
    }
}
