/// A secret that several owners share; the last one wipes it.
package final class BoxedSecret: Sendable {
    /// The bytes.
    package let bytes: SecretBytes
    /// Takes over a secret.
    package init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}
