internal import Synchronization

/// Collects numbers that several tasks see.
final class Recorder: Sendable {
    private let numbers = Mutex<[Int]>([])

    /// Adds one.
    func append(_ number: Int) { numbers.withLock { $0.append(number) } }

    /// All numbers in the order they came.
    var all: [Int] { numbers.withLock { $0 } }
}
