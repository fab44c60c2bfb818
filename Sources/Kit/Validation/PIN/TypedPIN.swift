public import PavisePrimitives
internal import Synchronization

/// A PIN while a person types it, a digit at a time. It is never a text: a `String` cannot be wiped, and a text field
/// tells what is typed in it to assistive technology and to keyboards of other makers.
///
/// ```swift
/// let typed = TypedPIN()
/// typed.append(7)
/// if let pin = typed.take() { try await security.lock.unlock(pin) }
/// ```
///
/// The digits lie in one place, and are overwritten when they are taken, taken back or given up.
public final class TypedPIN: Sendable {
    private struct Typed {
        var digits: [UInt8]
        var count = 0

        // In place: what has another owner would be copied, and this array has none.
        mutating func wipe(from start: Int = 0) {
            for index in start..<digits.count { digits[index] = 0 }
            count = start
        }
    }

    /// The most digits that are taken; further ones are passed over.
    public let limit: Int
    private let typed: Mutex<Typed>

    /// Nothing typed yet.
    ///
    /// - Parameter rule: What the app takes as a PIN; its greatest length is the limit. Without one as many digits are
    ///   taken as any PIN may have (``PINRule/possible``): the PIN that is set may be older than the app's rule, and an
    ///   administrator may ask for more digits than that allows.
    public init(_ rule: PINRule? = nil) {
        limit = rule?.length.upperBound ?? PINRule.possible.upperBound
        typed = Mutex(Typed(digits: [UInt8](repeating: 0, count: limit)))
    }

    deinit { clear() }

    /// How many digits were typed: all that a screen may show.
    public var count: Int { typed.withLock { $0.count } }

    /// Takes a digit, 0 to 9.
    ///
    /// - Returns: Whether it was taken: it is a digit, and there was room.
    @discardableResult
    public func append(_ digit: Int) -> Bool {
        typed.withLock { typed in
            guard (0...9).contains(digit), typed.count < limit else { return false }
            typed.digits[typed.count] = 0x30 + UInt8(digit)
            typed.count += 1
            return true
        }
    }

    /// Takes the last digit back.
    public func removeLast() { typed.withLock { $0.wipe(from: max(0, $0.count - 1)) } }

    /// Gives up what was typed.
    public func clear() { typed.withLock { $0.wipe() } }

    /// Gives the digits out, and forgets them; `nil` where none was typed.
    public func take() -> SecretBytes? {
        typed.withLock { typed in
            guard typed.count > 0 else { return nil }
            let taken = SecretBytes(count: typed.count) { target in
                for index in 0..<target.count { target[index] = typed.digits[index] }
            }
            typed.wipe()
            return taken
        }
    }
}
