/// Names an item of a synchronised folder for as long as it lives, whatever it is called and wherever it is moved
/// (sync/SY1).
///
/// A number of 64 bits, made of side and path when the item is first seen, so that a second look before it is written
/// down makes the same; no other item has it. It has a meaning within one synchronised folder only.
public struct ItemID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number.
    public let number: UInt64

    /// The identifier with this number.
    public init(_ number: UInt64) { self.number = number }

    /// The synchronised folder itself.
    public static let root = ItemID(0)

    /// By number, so that plans are the same in each run.
    public static func < (one: ItemID, other: ItemID) -> Bool { one.number < other.number }

    /// Hexadecimal, without leading zeros.
    public var description: String { String(number, radix: 16) }
}
