import PaviseArguments
import Testing

@Suite struct UsageErrorTests {
    @Test(arguments: [
        ([], "A command is missing. See “shop help”."),
        (["stock"], "A command is missing. See “shop help stock”."),
        (["sned"], "There is no command “sned”. Did you mean “send”? See “shop help”."),
        (["help", "lsit"], "There is no command “lsit”. Did you mean “list”? See “shop help”."),
        (["stock", "cuont"], "There is no command “cuont”. Did you mean “count”? See “shop help stock”."),
        (["buy"], "There is no command “buy”. See “shop help”."),
        (["--versoin"], "There is no option “--versoin”. Did you mean “--version”? See “shop help”."),
        (["send", "--sise", "7"], "There is no option “--sise”. Did you mean “--size”? See “shop help send”."),
        (["send", "--sise=7"], "There is no option “--sise”. Did you mean “--size”? See “shop help send”."),
        (["send", "-z"], "There is no option “-z”. See “shop help send”."),
        (
            ["send", "--size"],
            "--size needs a value: write --size CM, or --size=CM where it starts with a dash. See “shop help send”."
        ),
        (
            ["send", "--size", "-g"],
            "--size needs a value: write --size CM, or --size=CM where it starts with a dash. See “shop help send”."
        ),
        (["send", "--gift=yes", "lamp"], "--gift takes no value. See “shop help send”."),
        (["send", "--size=1", "-s2", "lamp"], "--size may be given only once. See “shop help send”."),
        (["send", "-gg", "lamp"], "--gift may be given only once. See “shop help send”."),
        (["send"], "ITEM is missing. See “shop help send”."),
        (["send", "a", "b", "c"], "This command takes 2 arguments; there are more. See “shop help send”."),
        (["list", "a"], "This command takes no arguments. See “shop help list”."),
        (["send", "--size", "big", "lamp"], "--size is no positive whole number. See “shop help send”."),
        (["send", ""], "ITEM is empty. See “shop help send”."),
        (["send", "", "lamp"], "CUSTOMER is empty. See “shop help send”."),
        (["send", "--size=", "lamp"], "--size is empty. See “shop help send”."),
        (["send", "--colour", "", "lamp"], "--colour is empty. See “shop help send”."),
        (["tidy", "ada", "top", "none"], "SHELF 2 of 2 is no shelf. See “shop help tidy”."),
        (["tidy", "ada", "top", "low", ""], "SHELF 3 of 3 is empty. See “shop help tidy”."),
        ([""], "A command is missing. See “shop help”."),
        (["stock", ""], "A command is missing. See “shop help stock”."),
        (
            ["send", "--size", "99999999999999999999", "lamp"],
            "--size is no positive whole number. See “shop help send”."
        ),
    ])
    func `each mistake has its sentence`(_ words: [String], _ message: String) {
        let error = #expect(throws: UsageError.self) { try Shop.parser.parse(words) }
        #expect(error?.message(program: "shop") == message)
    }

    @Test(arguments: [
        ["send", "a", "b", "hunter2"], ["list", "hunter2"], ["send", "--size", "hunter2", "a"],
        ["send", "--gift=hunter2", "a"], ["send", "--sise=hunter2", "a"],
    ])
    func `a value in the wrong place is not repeated`(_ words: [String]) {
        let error = #expect(throws: UsageError.self) { try Shop.parser.parse(words) }
        #expect(error?.message(program: "shop").contains("hunter2") == false)
    }

    @Test(arguments: [
        "\u{1B}[31mred", "a\u{202E}b", "a\u{61C}b", "a\u{2028}b", "tab\there", String(repeating: "x", count: 5000),
    ])
    func `words from outside cannot command the terminal`(_ word: String) {
        let error = #expect(throws: UsageError.self) { try Shop.parser.parse([word]) }
        let message = error?.message(program: "shop") ?? ""
        let harmful: Set<UInt32> = [0x61C, 0x2028, 0x202E]
        #expect(!message.unicodeScalars.contains { $0.value < 32 || harmful.contains($0.value) })
        #expect(message.count < 120)
    }
}
