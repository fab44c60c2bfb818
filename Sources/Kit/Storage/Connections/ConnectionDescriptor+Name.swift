extension ConnectionDescriptor {
    /// Whether `name` can name a connection: 1 to 64 ASCII letters, digits and `-._`, neither a dot nor a hyphen in
    /// front, so that it can be typed anywhere.
    public static func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && !name.hasPrefix(".") && !name.hasPrefix("-")
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }
}
