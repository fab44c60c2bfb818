/// A log of one part of a program, in the shape of Apple's `Logger`: values are private unless their type is public.
///
/// ```swift
/// // upload of «private» failed: status 503
/// log.error("upload of \(title) failed: status \(public: status)")
/// ```
///
/// `debug`, `info` and `notice` are for development: a release build of your app does not have them in it, with
/// their texts. `error` and
/// `fault` stay. Each line is masked once more (``Masker``), cut at 4096 bytes and written as one line. A sink that
/// fails, hangs or is full never stops the caller; ``LogOutput/losses`` counts.
public struct Log: Sendable {
    /// The app or part, for example `org.example.diary`: a literal.
    public let subsystem: StaticString
    /// The part of it.
    public let category: StaticString
    /// Where lines go.
    public let output: LogOutput
    @usableFromInline let minimum: LogLevel

    /// A log of one part.
    ///
    /// - Parameters:
    ///   - subsystem: A literal.
    ///   - category: A literal.
    ///   - output: Where lines go; by default the system's log.
    public init(subsystem: StaticString, category: StaticString, output: LogOutput = .standard) {
        self.subsystem = subsystem
        self.category = category
        self.output = output
        minimum = output.minimum
    }

    /// For development alone: the path through the code.
    @inlinable @inline(__always)
    public func debug(_ message: @autoclosure () -> LogMessage) {
        #if DEBUG
        if minimum <= .debug { write(.debug, message()) }
        #endif
    }

    /// For development alone: what is worth knowing.
    @inlinable @inline(__always)
    public func info(_ message: @autoclosure () -> LogMessage) {
        #if DEBUG
        if minimum <= .info { write(.info, message()) }
        #endif
    }

    /// For development alone: what is worth telling.
    @inlinable @inline(__always)
    public func notice(_ message: @autoclosure () -> LogMessage) {
        #if DEBUG
        if minimum <= .notice { write(.notice, message()) }
        #endif
    }

    /// Something failed. In release builds too.
    @inlinable @inline(__always)
    public func error(_ message: @autoclosure () -> LogMessage) {
        if minimum <= .error { write(.error, message()) }
    }

    /// The program is wrong: a state that must not be. In release builds too.
    @inlinable @inline(__always)
    public func fault(_ message: @autoclosure () -> LogMessage) {
        if minimum <= .fault { write(.fault, message()) }
    }

    @usableFromInline
    func write(_ level: LogLevel, _ message: LogMessage) {
        output.write(level, subsystem, category, message)
    }
}
