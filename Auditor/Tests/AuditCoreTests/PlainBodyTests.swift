import AuditCore
import Foundation
import Testing

/// Bodies that say nothing are left out of what is parsed: never with a finding, nor with what leads a value to one.
@Suite struct PlainBodyTests {
    private let filling = String(repeating: "let a = b + 1 // of no matter\n", count: 60)

    private func rules(_ text: String) -> [String] {
        Analyzer.analyze(Data((filling + text).utf8), file: "App/A.swift").findings.map { "\($0.rule):\($0.line - 60)" }
    }

    /// What follows stands in a body of its own that no rule speaks about.
    private let other = """

        func other(_ a: Int) -> Int {
            let title = "an ordinary text of this app"
            return title.isEmpty ? a : a + 1
        }
        """

    @Test(arguments: Catalogue.rules.filter { $0.kind == .swift && !$0.isAbsence }.map(\.id))
    func `a bad example among functions of no matter is found where it stands`(_ id: String) throws {
        let rule = try #require(Catalogue.byID[id])
        let alone = rules(rule.bad).filter { $0.hasPrefix(id + ":") }
        #expect(!alone.isEmpty && rules(rule.bad + other).filter { $0.hasPrefix(id + ":") } == alone)
    }

    @Test(arguments: [
        // Handed on by a function that names nothing.
        "func a(password: String) {\n    step(password)\n}\nfunc step(_ x: String) {\n    last(x)\n}\nfunc last(_ y: String) {\n    print(y)\n}",
        // Given back by one.
        "func make() -> String {\n    return inner()\n}\nfunc inner() -> String {\n    return readPassword()\n}\nfunc a() {\n    print(make())\n}",
        // A closure of an initial value.
        "struct A {\n    let text: String = {\n        return readPassword()\n    }()\n    func a() {\n        print(readPassword())\n    }\n}",
    ])
    func `what leads a value to a finding stays`(_ source: String) {
        #expect(rules(source + other).contains { $0.hasPrefix("LOG-SENSITIVE:") })
    }

    @Test func `a constant of a function that names nothing stays where a cipher takes it`() {
        let source = """
            func f() {
                run(start())
            }
            func start() -> [UInt8] {
                return [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
            }
            func run(_ x: [UInt8]) {
                let c = AES(key: k, blockMode: CBC(iv: x))
                use(c)
            }
            """
        #expect(rules(source + other).contains { $0.hasPrefix("CONST-IV:") })
    }

    @Test func `a function that says nothing may stand between others without a change to their lines`() {
        let source = "func f(password: String) {\n    print(password)\n}"
        #expect(rules(other + "\n" + source).contains("LOG-SENSITIVE:7"))
    }

    @Test(arguments: ["#if A\n    b()\n}\n#else\n}\n#endif", "// a } b\n}", "let t = \"}\"\n}", "/* } */\n}"])
    func `brackets in comments, texts and conditions end no body`(_ end: String) {
        let start = "func f(_ a: Int) {\n    let title = \"an ordinary text of this app\"\n"
        #expect(
            rules(start + end + "\nfunc g(password: String) {\n    print(password)\n}").contains {
                $0.hasPrefix("LOG-SENSITIVE")
            })
    }
}
