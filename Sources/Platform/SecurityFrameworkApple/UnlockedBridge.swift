package import PavisePrimitives

/// Apple's systems have no keyring of the kernel that the programs of a user share: an unlock holds in its own process.
package enum UnlockedBridge {
    /// Keeps nothing: `nil`.
    package static func keep(_ key: borrowing SecretBytes, name: String, seconds: UInt32) -> Bool? { nil }

    /// There is nothing: `nil`.
    package static func read(_ name: String) -> SecretBytes? { nil }

    /// There is nothing to forget.
    package static func forget(_ name: String) {}
}
