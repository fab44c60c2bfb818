import MutantFinder
import Testing

@Suite struct MutantFinderTests {
    /// A body, a kind of change, and what the source reads when the change is made.
    @Test(
        arguments: [
            ("let a = b < c", .comparison, "let a = (ON ? (b <= c) : (b < c))"),
            ("let a = try f() == c", .comparison, "let a = try (ON ? (f() != c) : (f() == c))"),
            ("let a = b && c || d", .logic, "let a = (ON ? (b && c && d) : (b && c || d))"),
            ("guard b else { throw e }", .guardDropped, "guard (ON ? true : (b)) else { throw e }"),
            (
                "guard let x, try f(x) else { return }", .guardDropped,
                "guard let x, try (ON ? true : (f(x))) else { return }"
            ),
            ("if b { f() }", .branch, "if (ON ? false : (b)) { f() }"),
            ("try file.sync()\nlet x = 1", .call, "if !ON { try file.sync() }\nlet x = 1"),
            (
                "try file.sync()\nlet x = 1", .error,
                "if ON { _ = try? file.sync() } else { try file.sync() }\nlet x = 1"
            ),
            ("a()\nb()", .order, "if ON { b(); a() } else { a(); b() }"),
            ("state.isOpen = false", .assignment, "if !ON { state.isOpen = false }"),
            ("let a = b.prefix(16)", .number, "let a = b.prefix((ON ? (16 + 1) : 16))"),
            ("let a: Set = [.b, .c]", .member, "let a: Set = (ON ? [.b] : [.b, .c])"),
            ("let a = (1...6).contains(b)", .widened, "let a = (ON ? true : (1...6).contains(b))"),
        ] as [(String, Mutant.Operator, String)])
    func `a change stands in the place of what it changes`(body: String, kind: Mutant.Operator, result: String) throws {
        let source = "func f() throws {\n\(body)\n}\n"
        let mutant = try #require(MutantFinder.mutants(in: source).first { $0.kind == kind })
        #expect(applied(mutant, to: source) == "func f() throws {\n\(result)\n}\n")
    }

    @Test func `an answer is turned round wherever a function gives one, and a function may do nothing`() throws {
        let source = "func f() -> Bool {\n    let a = 1\n    return a > g()\n}\nvar x: Bool { !y }\n"
        let answers = MutantFinder.mutants(in: source).filter { $0.kind == .answer }
        #expect(answers.map(\.before) == ["a > g()", "!y"])
        #expect(answers.map(\.line) == [3, 5] && answers.map(\.function) == ["f", "x"])
        let early = MutantFinder.mutants(in: "func f() {\n    a()\n    b()\n}\n").filter { $0.kind == .early }
        #expect(
            early.map { applied($0, to: "func f() {\n    a()\n    b()\n}\n") } == [
                "func f() { if ON { return }\n    a()\n    b()\n}\n"
            ])
    }

    @Test func `a limit of a type is a number, and a default of a value is none`() {
        let source = "struct S {\n    static let most = 64 << 10\n    let size = 3\n}\n"
        let numbers = MutantFinder.mutants(in: source).filter { $0.kind == .number }
        #expect(numbers.map(\.before) == ["64", "10"] && numbers.map(\.function) == ["S.most", "S.most"])
    }

    @Test func `the branch of a value stays, and that of a statement may be left out`() {
        for source in [
            "func f() -> A { switch x { case .a: g(1)\ndefault: .b(2) } }",
            "func f() -> A { if x { g(1) } else if y { g(2) } else { switch z { default: .b(2) } } }",
            "func f() { let a = if x { g(1) } else { g(2) }\n_ = a }",
            "var a: A { get { switch x { default: g(1) } } }",
        ] {
            #expect(MutantFinder.mutants(in: source).filter { $0.kind == .call } == [], "\(source)")
        }
        for source in [
            "func f() { switch x { case .a: g(1)\ndefault: break } }",
            "func f() -> A { if x { g(1) }\nreturn y }",
            "func f() { if x { g(1) } else { y = 2 } }",
        ] {
            #expect(MutantFinder.mutants(in: source).filter { $0.kind == .call }.map(\.before) == ["g(1)"], "\(source)")
        }
    }

    @Test func `what is compiled for another system stays as it is`() {
        let source = """
            func f() {
                #if os(Linux) && !canImport(Darwin)
                here()
                #elseif canImport(Glibc)
                never()
                #else
                there()
                #endif
                #if os(macOS) || canImport(AppKit)
                there()
                #else
                here()
                #endif
            }
            """
        let calls = MutantFinder.mutants(in: source).filter { $0.kind == .call }
        #expect(calls.map(\.before) == ["here()", "here()"])
    }

    @Test(arguments: [
        "let a = 1 < 2", "enum A { case b = 3 }", "func f() -> Int { g() }", "func f() { super.f() }",
        "@available(macOS 15, *) func f(_ x: Int = 3) {}", "func f() { switch x { case 1: break } }",
        "func f() { g([1, 2, 3, 4, 5].count) }", "func f(", "",
    ])
    func `what is no body, must be known to the compiler, or is a table stays as it is`(source: String) {
        let kinds = MutantFinder.mutants(in: source).map(\.kind).filter { $0 != .member && $0 != .call }
        #expect(kinds.isEmpty)
    }

    private func applied(_ mutant: Mutant, to source: String) -> String {
        let bytes = Array(source.utf8)
        let text = mutant.text.replacing(Mutant.on, with: "ON")
        return String(
            decoding: bytes[..<mutant.range.lowerBound] + Array(text.utf8) + bytes[mutant.range.upperBound...],
            as: UTF8.self)
    }
}
