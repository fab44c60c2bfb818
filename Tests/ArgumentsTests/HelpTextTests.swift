import PaviseArguments
import Testing

@Suite struct HelpTextTests {
    @Test func `the help of a command shows everything it takes`() {
        #expect(
            HelpText(Shop.send, calledBy: ["shop", "send"]).text == """
                Send an item.

                Usage: shop send [options] [CUSTOMER] ITEM

                The item leaves the shop at once.

                Nothing is sent on a Sunday.

                Arguments:
                  CUSTOMER                  Who pays.
                  ITEM                      What to send.

                Options:
                  -s, --size CM             The size in centimetres.
                  -c, --colour NAME         A colour to use. May be repeated.
                      --note TEXT           A note for the packer.
                  -g, --gift                Wrap it.
                  -f, --fast                Send it today, with the quickest carrier that the
                                            shop knows, whatever that may cost the customer.
                  -h, --help                Show this help.

                Examples:
                  shop send lamp
                      Send a lamp to the last customer.

                """)
    }

    @Test func `the help of the program lists its commands`() {
        #expect(
            HelpText(Shop.parser.program, calledBy: ["shop"]).text == """
                A shop for tests.

                Usage: shop COMMAND

                Commands:
                  send                      Send an item.
                  list                      List what there is.
                  stock                     Look after the shelves.
                  tidy                      Tidy shelves up.

                Options:
                      --version             Show the version.
                  -h, --help                Show this help.

                “shop help COMMAND” says more about a command.

                """)
    }

    @Test func `the help of a group names the way to its commands`() {
        let text = HelpText(Shop.stock, calledBy: ["shop", "stock"]).text
        #expect(text.contains("Usage: shop stock COMMAND\n"))
        #expect(text.contains("“shop help stock COMMAND” says more about a command."))
        #expect(!text.contains("--version"))
    }
}
