/// A small change of a source that some test should notice: a text in the place of another.
///
/// The text holds ``on`` where a program asks whether the change is in force, so that one build carries all of them and
/// a process has one at a time.
public struct Mutant: Hashable, Sendable {
    /// What kinds of changes there are.
    public enum Operator: String, CaseIterable, Sendable {
        /// `<` for `<=`, `==` for `!=`, and so on.
        case comparison
        /// `&&` for `||`, and the other way round.
        case logic
        /// A guard that lets everything pass.
        case guardDropped = "guard"
        /// A branch that is never taken.
        case branch
        /// A call that is left out: a sync, a wipe, a check that throws.
        case call
        /// A call whose error is not heard.
        case error
        /// Two calls in the wrong order.
        case order
        /// A value that is not kept.
        case assignment
        /// A number that is one larger.
        case number
        /// The opposite answer.
        case answer
        /// A set or a list without its last member.
        case member
        /// A set or a range that has everything.
        case widened
        /// A function that returns before it does anything.
        case early
    }

    /// Stands in ``text`` for the question whether the change is in force.
    public static let on = "MUTANT_IS_ON"

    /// The kind of change.
    public let kind: Operator
    /// UTF-8 offsets in the source: what is replaced.
    public let range: Range<Int>
    /// What stands there instead.
    public let text: String
    /// The line, from 1.
    public let line: Int
    /// The function, by its name and those around it.
    public let function: String
    /// What stood there, on one line.
    public let before: String
}
