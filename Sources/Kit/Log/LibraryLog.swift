/// For what libraries log: their lines are text that nobody has tagged.
///
/// In a debug build of your app a line is shown as it is masked. In a release build error and fault stay, and of the
/// text only digits under the key of the output (`«hashed»` where it has none): the same line can be found again, and
/// nothing can be read.
///
/// ```swift
/// let log = LibraryLog(output)
/// log.write(.error, from: "http.client", "connection to 10.0.0.7 of jane@example.org failed")
/// // debug:   library http.client: connection to 10.0.0.7 of «email» failed
/// // release: library «hashed 5f1d2c9a»: «hashed 77c0aa31»
/// ```
///
/// `Examples/LogHandler` has the few lines that make it a handler of swift-log.
public struct LibraryLog: Sendable {
    @usableFromInline let output: LogOutput

    /// A log of libraries.
    public init(_ output: LogOutput = .standard) { self.output = output }

    /// Writes one line of a library. The text is not computed where it is not kept.
    ///
    /// - Parameters:
    ///   - level: How much it matters. Below `error` nothing is in a release build.
    ///   - label: Which library.
    ///   - text: What it says.
    @inlinable @inline(__always)
    public func write(_ level: LogLevel, from label: @autoclosure () -> String, _ text: @autoclosure () -> String) {
        guard output.minimum <= level else { return }
        #if DEBUG
        write(level, "library \(masked: label()): \(masked: text())")
        #else
        if level >= .error { write(level, "library \(hashed: label()): \(hashed: text())") }
        #endif
    }

    @usableFromInline
    func write(_ level: LogLevel, _ message: LogMessage) {
        output.write(level, "org.pavise", "libraries", message)
    }
}

extension LogMessage.StringInterpolation {
    /// Text that only the second net looks at. For debug builds, and not for anybody's own lines.
    @usableFromInline
    mutating func appendInterpolation(masked text: String) { self.text.append(contentsOf: text.utf8) }
}
