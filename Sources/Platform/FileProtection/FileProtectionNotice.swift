// The compiler puts this module before Foundation in a build by `pavise toolset` (Scripts/toolset-overlays), so that it
// warns wherever a file of the package asks for Data Protection. The values are Foundation's own.
@_exported public import Foundation

extension NSData.WritingOptions {
    /// The file can be read while the device is unlocked: on Apple's systems alone.
    ///
    /// https://developer.apple.com/documentation/foundation/nsdata/writingoptions/completefileprotection
    @available(*, deprecated, message: "Foundation on Linux writes the file in clear: use PaviseProtectedStorage")
    public static var completeFileProtection: NSData.WritingOptions { NSData.WritingOptions(rawValue: 0x2000_0000) }

    /// The file can be read while the device is unlocked, or while it is open: on Apple's systems alone.
    @available(*, deprecated, message: "Foundation on Linux writes the file in clear: use PaviseProtectedStorage")
    public static var completeFileProtectionUnlessOpen: NSData.WritingOptions {
        NSData.WritingOptions(rawValue: 0x3000_0000)
    }

    /// The file can be read after the first unlock: on Apple's systems alone.
    @available(*, deprecated, message: "Foundation on Linux writes the file in clear: use PaviseProtectedStorage")
    public static var completeFileProtectionUntilFirstUserAuthentication: NSData.WritingOptions {
        NSData.WritingOptions(rawValue: 0x4000_0000)
    }
}

extension FileAttributeKey {
    /// The class of a file: on Apple's systems alone. Foundation on Linux keeps none, and reads `nil`.
    ///
    /// https://developer.apple.com/documentation/foundation/fileattributekey/protectionkey
    @available(*, deprecated, message: "Foundation on Linux leaves the file in clear: use PaviseProtectedStorage")
    public static var protectionKey: FileAttributeKey { FileAttributeKey(rawValue: "NSFileProtectionKey") }
}
