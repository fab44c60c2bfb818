/// Carries a value of a type that is not marked as safe to share into a task, where it is used from then on.
///
/// For types of Foundation whose documentation allows calls from any thread and whose declaration does not say so.
/// Whoever makes one states why that is so, and touches the value nowhere else afterwards.
package struct UncheckedTransfer<Value> {
    /// The value.
    package let value: Value

    /// Hands over `value`.
    package init(_ value: Value) { self.value = value }
}

// Safe to share: the maker gives the value away, as documented above.
extension UncheckedTransfer: @unchecked Sendable {}
