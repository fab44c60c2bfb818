import PaviseValidation
import Testing

@Suite struct EmailAddressTests {
    private func problem(_ text: String) -> EmailProblem? {
        do throws(EmailProblem) {
            _ = try EmailAddress(text)
            return nil
        } catch {
            return error
        }
    }

    private func specProblem(_ text: String) -> EmailProblem? {
        do throws(EmailProblem) {
            _ = try EmailAddress(addrSpec: text)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "ada@example.org", "Ada.Lovelace+tag@mail.example.co.uk", "a@b.cd", "o'neil@example.org", "x_y-z@example.org",
        "1234567890@example.org", "user@xn--mnchen-3ya.example", "a.b.c@example.org",
        String(repeating: "a", count: 64) + "@example.org",
    ])
    func `addresses as people have them are taken`(_ text: String) { #expect(problem(text) == nil) }

    @Test func `blanks around it are left out, and the domain is in lower case`() throws {
        let address = try EmailAddress("  Ada@EXAMPLE.org ")
        #expect(address.description == "Ada@example.org")
        #expect(address.localPart == "Ada")
        #expect(address.domain == "example.org")
    }

    @Test(
        arguments: [
            ("", .empty), (" ", .empty), ("ada", .missingAt), ("@example.org", .localPart), ("ada@", .domain("")),
            ("ada@localhost", .domain("localhost")), (".ada@example.org", .localPart), ("ada.@example.org", .localPart),
            ("a..b@example.org", .localPart), ("a b@example.org", .localPart), ("a@b@example.org", .localPart),
            ("ada@-example.org", .domain("-example.org")), ("ada@example..org", .domain("example..org")),
            ("ada@example.org.", .domain("example.org.")), ("ada@exam_ple.org", .domain("exam_ple.org")),
            ("ada@[127.0.0.1]", .domain("[127.0.0.1]")), ("ada@127.0.0.1", .domain("127.0.0.1")),
            ("\"ada\"@example.org", .localPart), ("ada@exämple.org", .forbiddenCharacter),
            ("ädа@example.org", .forbiddenCharacter),
            ("ada@example.org\r\nBcc: x@example.org", .forbiddenCharacter),
            ("ada\u{0}@example.org", .forbiddenCharacter),
            ("ada@example.org,bob@example.org", .localPart), ("Ada <ada@example.org>", .localPart),
            ("ada(comment)@example.org", .localPart),
        ] as [(String, EmailProblem)])
    func `anything else is refused with the reason`(_ text: String, _ reason: EmailProblem) {
        #expect(problem(text) == reason)
    }

    @Test func `lengths of RFC 5321 are kept`() {
        #expect(problem(String(repeating: "a", count: 65) + "@example.org") == .tooLong)
        let long = "ada@" + Array(repeating: String(repeating: "b", count: 60), count: 5).joined(separator: ".")
        #expect(problem(long) == .tooLong)
        #expect(problem(String(repeating: "@", count: 1_000_000)) == .tooLong)
    }

    @Test(arguments: [
        "ada@localhost", "\"ada\"@example.org", "\"a b\"@example.org", "\"a@b\"@example.org", "\"a\\\"b\"@example.org",
        "\"\"@example.org", "ada@[127.0.0.1]", "ada@[IPv6:::1]", "!#$%&'*+-/=?^_`{|}~@example.org",
    ])
    func `an addr-spec of RFC 5322 may be more`(_ text: String) { #expect(specProblem(text) == nil) }

    @Test(arguments: [
        "\"ada@example.org", "\"a\"b\"@example.org", "\"a\\\"@example.org", "ada@[127.0.0.1", "ada@[]", "ada@[a]b]",
        "\"@example.org",
        "ada @example.org", "ada@ example.org", "",
    ])
    func `a broken addr-spec is refused`(_ text: String) { #expect(specProblem(text) != nil) }
}
