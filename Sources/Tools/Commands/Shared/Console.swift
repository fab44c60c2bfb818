package import Pavise
package import PavisePrimitives

/// Where bytes go: a stream of the process, or a test's own memory.
package protocol ByteSink: Sendable {
    /// Whether a person reads it.
    var isTerminal: Bool { get }
    /// Writes all of `bytes` at once; nothing is buffered.
    func write(_ bytes: [UInt8]) throws(SystemFailure)
}

/// The two streams a command writes to.
package struct Console: Sendable {
    /// Results.
    package let output: any ByteSink
    /// Messages and progress.
    package let messages: any ByteSink
    /// Whether colours are wanted at all (`NO_COLOR` forbids them, https://no-color.org).
    package let allowsColour: Bool

    /// The language of what the catalogue says about a failure.
    package let language: MessageLanguage

    package init(
        output: any ByteSink, messages: any ByteSink, allowsColour: Bool, language: MessageLanguage = .english
    ) {
        self.output = output
        self.messages = messages
        self.allowsColour = allowsColour
        self.language = language
    }

    /// Prints a result.
    package func show(_ report: Report, asJSON: Bool = false) throws(SystemFailure) {
        let renderer = Renderer(asJSON: asJSON, usesColour: allowsColour && output.isTerminal)
        try output.write(Array(renderer.render(report).utf8))
    }

    /// Prints text as it is.
    package func show(text: String) throws(SystemFailure) { try output.write(Array(text.utf8)) }

    /// Tells a person something on the way. A message that cannot be written is lost; the work goes on.
    package func tell(_ part: Report.Part) {
        let renderer = Renderer(asJSON: false, usesColour: allowsColour && messages.isTerminal)
        try? messages.write(Array(renderer.render(Report(data: .null).adding(part)).utf8))
    }

    /// Prints why a command stopped: as JSON with the results, or as text with the messages.
    package func show(_ failure: CommandFailure, asJSON: Bool) {
        let sink = asJSON ? output : messages
        let renderer = Renderer(asJSON: asJSON, usesColour: allowsColour && sink.isTerminal)
        try? sink.write(Array(renderer.render(failure.report(in: language)).utf8))
    }
}
