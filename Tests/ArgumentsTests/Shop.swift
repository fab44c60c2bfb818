import PaviseArguments

/// A program with one of everything, for the tests.
enum Shop {
    static let size = Option("size", letter: "s", value: "CM", help: "The size in centimetres.") {
        text throws(Parameter.Invalid) in
        guard let size = Int(text), size > 0 else { throw Parameter.Invalid("is no positive whole number") }
        return size
    }
    static let colour = RepeatedOption("colour", letter: "c", value: "NAME", help: "A colour to use.") { $0 }
    static let note = Option("note", value: "TEXT", help: "A note for the packer.", allowsEmpty: true)
    static let gift = Flag("gift", letter: "g", help: "Wrap it.")
    static let fast = Flag(
        "fast", letter: "f",
        help: "Send it today, with the quickest carrier that the shop knows, whatever that may cost the customer.")
    static let customer = OptionalArgument("CUSTOMER", help: "Who pays.")
    static let item = Argument("ITEM", help: "What to send.")

    static let send = Command(
        "send", abstract: "Send an item.",
        discussion: "The item leaves the shop at once.\n\nNothing is sent on a Sunday.",
        parameters: [customer, item, size, colour, note, gift, fast],
        examples: [.init("shop send lamp", "Send a lamp to the last customer.")])
    static let shelves = RepeatedArgument("SHELF", help: "A shelf to look at.") { text throws(Parameter.Invalid) in
        guard text != "none" else { throw Parameter.Invalid("is no shelf") }
        return text
    }
    static let tidy = Command("tidy", abstract: "Tidy shelves up.", parameters: [customer, shelves, gift])
    static let list = Command("list", abstract: "List what there is.")
    static let stock = Command(
        "stock", abstract: "Look after the shelves.",
        subcommands: [Command("count", abstract: "Count the items."), Command("fill", abstract: "Order more.")])

    static let parser = Parser(
        Command("shop", abstract: "A shop for tests.", subcommands: [send, list, stock, tidy]))

    static func run(_ words: [String]) throws -> Invocation {
        guard case .run(let invocation) = try parser.parse(words) else { throw Unexpected() }
        return invocation
    }

    struct Unexpected: Error {}
}
