import Foundation
import PavisePrimitives

extension Data {
    /// Bytes from hexadecimal; none for anything else.
    init(hex text: String) { self.init(Hex.decode(text) ?? []) }
}
