import Synchronization

/// A clock that moves by the same step each time it is looked at.
final class Ticks: Sendable {
    private let now = Mutex<Int64>(0)
    private let step: Int64

    init(step: Int64) { self.step = step }

    func next() -> Int64 {
        now.withLock {
            $0 += step
            return $0
        }
    }
}
