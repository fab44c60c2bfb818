// Declarations of ours of what Pavise names of UniformTypeIdentifiers, from Apple's documentation. For checking types
// on Linux.
// Pages: https://developer.apple.com/documentation/uniformtypeidentifiers/ and the name in lower case.
@_exported public import Foundation

/// https://developer.apple.com/documentation/uniformtypeidentifiers/uttype-swift.struct
public struct UTType: Hashable, Sendable {
    public static var item: UTType { fatalError() }
    public static var json: UTType { fatalError() }
    public static var plainText: UTType { fatalError() }
}
