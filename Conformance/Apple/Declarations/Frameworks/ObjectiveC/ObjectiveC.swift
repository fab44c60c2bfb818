// Declarations of ours of Apple's Swift overlay of Objective-C. For checking types on Linux; never linked.
// Pages: https://developer.apple.com/documentation/objectivec/ and the name in lower case.
@_exported public import ObjectiveC

/// Objective-C's BOOL.
@frozen public struct ObjCBool: ExpressibleByBooleanLiteral, Sendable {
    public var boolValue: Bool
    public init(_ value: Bool) { boolValue = value }
    public init(booleanLiteral value: Bool) { boolValue = value }
}
public func _convertBoolToObjCBool(_ value: Bool) -> ObjCBool { ObjCBool(value) }
public func _convertObjCBoolToBool(_ value: ObjCBool) -> Bool { value.boolValue }

/// The name of a method.
public struct Selector: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {}
    public init(_ name: String) {}
}

/// NSZone.
public struct NSZone {}

extension NSObject: Equatable, Hashable {
    public static func == (a: NSObject, b: NSObject) -> Bool { a.isEqual(b) }
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
