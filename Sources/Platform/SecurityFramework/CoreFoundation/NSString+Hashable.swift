public import Foundation

// Without this, `AnyHashable("acct")` and `AnyHashable("acct" as NSString)` differ on Linux, and
// `attributes[kSecAttrAccount]` on a `[AnyHashable: Any]` finds nothing.
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
    /// The hashable value that an equal Swift `String` has.
    public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(String(self)) }
}
