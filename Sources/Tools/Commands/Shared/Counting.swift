extension BinaryInteger {
    /// The number and what it counts: `1 error`, `2 errors`, `1 entry`, `2 entries`.
    func counting(_ one: String, _ many: String? = nil) -> String {
        "\(self) \(self == 1 ? one : many ?? one + "s")"
    }
}
