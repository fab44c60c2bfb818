internal import PaviseArguments
internal import PaviseDocuments
internal import PavisePrimitives

/// `pavise document show` and `pavise document convert`: documents of anybody, written anew.
enum DocumentCommands {
    private static let file = Argument("FILE", help: "The document.")
    private static let target = Argument(
        "PAGE", help: "The page to make, for example letter.html. It must not be there.")

    static let show = Action(
        Command(
            "show", abstract: "Show a document's text, and what it would have done.",
            discussion: """
                Reads HTML, Markdown, text, e-mails, DOCX, XLSX, PPTX, OpenDocument in both forms, pictures, and PDF \
                where poppler-utils is installed and the kernel can confine it. Nothing of the document runs and \
                nothing is fetched. What is left out is counted. Links are numbered; they are listed with the host \
                that they lead to.

                Exit status: 0 shown, 1 the file cannot be read, 2 usage, 3 the document is refused.
                """,
            parameters: [file, Shared.json],
            examples: [
                .init("pavise document show letter.docx", "Read a letter."),
                .init("pavise document show message.eml", "Read an e-mail."),
            ])
    ) { invocation, environment in
        let path = try invocation.value(file)
        try environment.show(report(try page(of: path), path), for: invocation)
    }

    static let convert = Action(
        Command(
            "convert", abstract: "Write a document anew as a page without scripts and addresses.",
            discussion: """
                The page is one file: HTML of a closed list of elements, with the document's own pictures in it, \
                and a policy that forbids everything else. A browser that opens it runs nothing and fetches \
                nothing. Fonts, colours, positions and drawings are lost.

                Exit status: 0 written, 1 a file cannot be read or written, or PAGE is there already, 2 usage, 3 the \
                document is refused.
                """,
            parameters: [file, target, Shared.json],
            examples: [.init("pavise document convert letter.docx letter.html", "Make a page of a letter.")])
    ) { invocation, environment in
        let path = try invocation.value(file)
        let target = try invocation.value(target)
        let page = try page(of: path)
        // Somebody's file is never written over: one that appears meanwhile stays as it is.
        guard try DurableFile.writeUnlessPresent(page.html(), to: target) else {
            throw CommandFailure(.failed, "“\(Printable.text(target))” is there already; nothing was written.")
        }
        var report = Report(
            data: .fields(["page": .string(target), "kind": .string(page.kind.rawValue), "leftOut": counts(page)]))
        report.add(.success("\(Printable.text(target)): \(page.omissions.sentence)"))
        try environment.show(report, for: invocation)
    }

    private static func page(of path: String) throws -> DocumentPage {
        let bytes = try InputFile.read(path, limit: DocumentLimits.standard.bytes)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        do throws(DocumentFailure) { return try DocumentPage(bytes, named: name) } catch {
            throw CommandFailure(.refused, error.description)
        }
    }

    private static func counts(_ page: DocumentPage) -> JSONValue {
        .object(page.omissions.all.map { .init($0.kind.rawValue, .integer($0.count)) })
    }

    private static func report(_ page: DocumentPage, _ path: String) -> Report {
        let links = page.links.map { link in
            JSONValue.fields([
                "number": .integer(link.number), "address": .string(link.address),
                "host": link.host.map { .string($0) },
            ])
        }
        var report = Report(
            data: .fields([
                "file": .string(path), "kind": .string(page.kind.rawValue), "text": .string(page.text),
                "links": .array(links), "leftOut": counts(page),
            ]))
        for line in page.text.split(separator: "\n", omittingEmptySubsequences: false) {
            report.add(.line(Printable.text(String(line))))
        }
        if !page.links.isEmpty {
            report.add(
                .table(
                    [["LINK", "HOST", "ADDRESS"]]
                        + page.links.map { ["\($0.number)", $0.host ?? "", Printable.text($0.address)] }))
        }
        report.add(page.omissions.isEmpty ? .success(page.omissions.sentence) : .line(page.omissions.sentence))
        return report
    }
}
