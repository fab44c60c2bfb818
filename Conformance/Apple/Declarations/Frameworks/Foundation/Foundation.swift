// Declarations of ours of what Pavise names of Foundation's Swift side, from Apple's documentation. For checking types
// on Linux; never linked, so the bodies say nothing.
// Pages: https://developer.apple.com/documentation/foundation/ and the name in lower case.
@_exported public import CoreFoundation
@_exported public import Darwin
@_exported public import Dispatch
@_exported public import Foundation
@_exported public import ObjectiveC
@_exported public import Security

public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}
public protocol MutableDataProtocol: DataProtocol, MutableCollection, RangeReplaceableCollection {}
public protocol ContiguousBytes {
    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
}
// CFEqual and CFHash, as the Swift side of Core Foundation has them.
// https://developer.apple.com/documentation/corefoundation/cfstring
extension CFString: @retroactive Hashable {
    public static func == (one: CFString, other: CFString) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) { fatalError() }
}
extension Array: ContiguousBytes where Element == UInt8 {}
extension Array: DataProtocol where Element == UInt8 {}
extension ArraySlice: DataProtocol where Element == UInt8 {}

@frozen public struct Data: Sendable, Hashable, Codable, MutableDataProtocol, ContiguousBytes, _ObjectiveCBridgeable {
    public typealias Index = Int
    public init() { fatalError() }
    public init<S: Sequence>(_ elements: S) where S.Element == UInt8 { fatalError() }
    public init(count: Int) { fatalError() }
    public init(bytes: UnsafeRawPointer, count: Int) { fatalError() }
    public init(contentsOf url: URL, options: Data.ReadingOptions = []) throws { fatalError() }
    public init?(base64Encoded text: String, options: Data.Base64DecodingOptions = []) { fatalError() }
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    public struct Base64DecodingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var atomic: WritingOptions { fatalError() }
        public static var completeFileProtection: WritingOptions { fatalError() }
        public static var completeFileProtectionUnlessOpen: WritingOptions { fatalError() }
        public static var completeFileProtectionUntilFirstUserAuthentication: WritingOptions { fatalError() }
    }
    public func write(to url: URL, options: Data.WritingOptions = []) throws { fatalError() }
    public func base64EncodedString() -> String { fatalError() }
    public var startIndex: Int { fatalError() }
    public var endIndex: Int { fatalError() }
    public var count: Int { fatalError() }
    public subscript(index: Int) -> UInt8 {
        get { fatalError() }
        set { fatalError() }
    }
    public subscript(bounds: Range<Int>) -> Data {
        get { fatalError() }
        set { fatalError() }
    }
    public mutating func replaceSubrange<C: Collection>(_ range: Range<Int>, with elements: C)
    where C.Element == UInt8 {
        fatalError()
    }
    public mutating func resetBytes(in range: Range<Int>) { fatalError() }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
    public mutating func withUnsafeMutableBytes<R>(_ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows -> R {
        fatalError()
    }
    public func index(before i: Int) -> Int { fatalError() }
    public func index(after i: Int) -> Int { fatalError() }
    public static func == (a: Data, b: Data) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) {}
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
    public func _bridgeToObjectiveC() -> NSData { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSData, result: inout Data?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSData, result: inout Data?) -> Bool { false }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSData?) -> Data { fatalError() }
}
extension NSData: @unchecked Sendable {}

public typealias TimeInterval = Double
public struct Date: Sendable, Hashable, Comparable, Codable, _ObjectiveCBridgeable {
    public init() {}
    public init(timeIntervalSince1970: TimeInterval) {}
    public var timeIntervalSince1970: TimeInterval { 0 }
    public var timeIntervalSinceNow: TimeInterval { 0 }
    /// https://developer.apple.com/documentation/foundation/date/init(timeintervalsincenow:)
    public init(timeIntervalSinceNow: TimeInterval) {}
    /// https://developer.apple.com/documentation/foundation/date/init(timeintervalsincereferencedate:)
    public init(timeIntervalSinceReferenceDate: TimeInterval) {}
    public var timeIntervalSinceReferenceDate: TimeInterval { 0 }
    public func timeIntervalSince(_ date: Date) -> TimeInterval { 0 }
    /// https://developer.apple.com/documentation/foundation/date/distantfuture
    public static var distantFuture: Date { Date() }
    public func addingTimeInterval(_ interval: TimeInterval) -> Date { self }
    public static func < (a: Date, b: Date) -> Bool { false }
    public func _bridgeToObjectiveC() -> NSDate { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSDate, result: inout Date?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSDate, result: inout Date?) -> Bool { false }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDate?) -> Date { fatalError() }
}

public struct URL: Sendable, Hashable, Codable, CustomStringConvertible, _ObjectiveCBridgeable {
    public init?(string: String) { fatalError() }
    public init(fileURLWithPath: String) { fatalError() }
    public var absoluteString: String { fatalError() }
    public var host: String? { fatalError() }
    public var scheme: String? { fatalError() }
    public var port: Int? { fatalError() }
    public var path: String { fatalError() }
    public func path(percentEncoded: Bool = true) -> String { fatalError() }
    public func appendingPathComponent(_ component: String) -> URL { fatalError() }
    public func deletingLastPathComponent() -> URL { fatalError() }
    public func resolvingSymlinksInPath() -> URL { fatalError() }
    public func host(percentEncoded: Bool = true) -> String? { fatalError() }
    public var description: String { fatalError() }
    public static func == (a: URL, b: URL) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) {}
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
    public func _bridgeToObjectiveC() -> NSURL { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSURL, result: inout URL?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSURL, result: inout URL?) -> Bool { false }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURL?) -> URL { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/urlresourcekey
public struct URLResourceKey: Hashable, Sendable {
    public static let isExcludedFromBackupKey = URLResourceKey()
}
/// https://developer.apple.com/documentation/foundation/urlresourcevalues
public struct URLResourceValues {
    public init() {}
    public var isExcludedFromBackup: Bool?
}
extension URL {
    public mutating func setResourceValues(_ values: URLResourceValues) throws {}
    public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues { fatalError() }
}

public struct URLRequest: Sendable, Hashable, _ObjectiveCBridgeable {
    public typealias CachePolicy = NSURLRequest.CachePolicy
    public init(url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60) {
        fatalError()
    }
    public var url: URL?
    public var httpMethod: String?
    public var httpBody: Data?
    public var httpShouldHandleCookies: Bool
    public var timeoutInterval: TimeInterval
    public var allHTTPHeaderFields: [String: String]?
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {}
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
    public func value(forHTTPHeaderField field: String) -> String? { nil }
    public func _bridgeToObjectiveC() -> NSURLRequest { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSURLRequest, result: inout URLRequest?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSURLRequest, result: inout URLRequest?) -> Bool {
        false
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURLRequest?) -> URLRequest { fatalError() }
}

extension String: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSString { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout String?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout String?) -> Bool { false }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> String { fatalError() }
}
extension Array: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSArray { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSArray, result: inout Array?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSArray, result: inout Array?) -> Bool { false }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSArray?) -> Array { fatalError() }
}
extension Dictionary: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSDictionary { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSDictionary, result: inout Dictionary?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSDictionary, result: inout Dictionary?) -> Bool {
        false
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDictionary?) -> Dictionary { fatalError() }
}
extension Set: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSSet { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSSet, result: inout Set?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSSet, result: inout Set?) -> Bool { false }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSSet?) -> Set { fatalError() }
}
extension Bool: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Bool?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Bool?) -> Bool { false }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Bool { fatalError() }
}
extension Int: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Int?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Int?) -> Bool { false }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Int { fatalError() }
}
extension Double: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Double?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Double?) -> Bool { false }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Double { fatalError() }
}

extension NSError: Error {}
public func _convertNSErrorToError(_ error: NSError?) -> any Error { fatalError() }
public func _convertErrorToNSError(_ error: any Error) -> NSError { fatalError() }
public protocol LocalizedError: Error {
    var errorDescription: String? { get }
    var failureReason: String? { get }
    var recoverySuggestion: String? { get }
    var helpAnchor: String? { get }
}
extension LocalizedError {
    public var errorDescription: String? { nil }
    public var failureReason: String? { nil }
    public var recoverySuggestion: String? { nil }
    public var helpAnchor: String? { nil }
}
extension Error { public var localizedDescription: String { fatalError() } }

public struct URLError: Error, Sendable {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static var cancelled: Code { fatalError() }
        public static var timedOut: Code { fatalError() }
        public static var cannotFindHost: Code { fatalError() }
        public static var cannotConnectToHost: Code { fatalError() }
        public static var dnsLookupFailed: Code { fatalError() }
        public static var networkConnectionLost: Code { fatalError() }
        public static var notConnectedToInternet: Code { fatalError() }
        public static var secureConnectionFailed: Code { fatalError() }
        public static var serverCertificateUntrusted: Code { fatalError() }
        public static var appTransportSecurityRequiresSecureConnection: Code { fatalError() }
    }
    public init(_ code: Code) { fatalError() }
    public var code: Code { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/cocoaerror
public struct CocoaError: Error, Sendable {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static var fileNoSuchFile: Code { fatalError() }
        public static var fileReadUnsupportedScheme: Code { fatalError() }
    }
    public init(_ code: Code, userInfo: [String: Any] = [:]) { fatalError() }
}

open class JSONEncoder: @unchecked Sendable {
    public struct OutputFormatting: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var prettyPrinted: OutputFormatting { fatalError() }
        public static var sortedKeys: OutputFormatting { fatalError() }
        public static var withoutEscapingSlashes: OutputFormatting { fatalError() }
    }
    /// https://developer.apple.com/documentation/foundation/jsonencoder/dateencodingstrategy-swift.enum
    public enum DateEncodingStrategy: Sendable { case deferredToDate, iso8601 }
    open var outputFormatting: OutputFormatting
    open var dateEncodingStrategy: DateEncodingStrategy
    public init() { fatalError() }
    open func encode<T: Encodable>(_ value: T) throws -> Data { fatalError() }
}
open class JSONDecoder: @unchecked Sendable {
    public init() {}
    open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
}

extension StringProtocol {
    public var removingPercentEncoding: String? { fatalError() }
    public func trimmingCharacters(in set: CharacterSet) -> String { fatalError() }
    public func contains<T: StringProtocol>(_ other: T) -> Bool { fatalError() }
    public func range<T: StringProtocol>(of text: T) -> Range<String.Index>? { fatalError() }
    public func replacingOccurrences<A: StringProtocol, B: StringProtocol>(of target: A, with text: B) -> String {
        fatalError()
    }
    public func components<T: StringProtocol>(separatedBy text: T) -> [String] { fatalError() }
    public var precomposedStringWithCompatibilityMapping: String { fatalError() }
    public var precomposedStringWithCanonicalMapping: String { fatalError() }
    public func data(using encoding: String.Encoding) -> Data? { fatalError() }
    /// https://developer.apple.com/documentation/swift/stringprotocol/write(tofile:atomically:encoding:)
    public func write<T: StringProtocol>(toFile path: T, atomically isAtomic: Bool, encoding: String.Encoding) throws {
        fatalError()
    }
}
extension String {
    public struct Encoding: Sendable { public static var utf8: Encoding { fatalError() } }
    public init?(data: Data, encoding: Encoding) { fatalError() }
    /// https://developer.apple.com/documentation/swift/string/init(contentsoffile:encoding:)
    public init(contentsOfFile path: __shared String, encoding: Encoding) throws { fatalError() }
    public init(format: String, _ arguments: any CVarArg...) { fatalError() }
}
public struct CharacterSet: Sendable {
    public static var whitespaces: CharacterSet { fatalError() }
    public static var whitespacesAndNewlines: CharacterSet { fatalError() }
}
/// https://developer.apple.com/documentation/foundation/uuid_t
public typealias uuid_t = (
    UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
)
public struct UUID: Sendable, Hashable, Codable {
    public init() {}
    public init?(uuidString: String) { nil }
    public var uuidString: String { fatalError() }
    /// https://developer.apple.com/documentation/foundation/uuid/uuid
    public var uuid: uuid_t { fatalError() }
    public init(uuid: uuid_t) {}
    public init(from decoder: any Decoder) throws {}
    public func encode(to encoder: any Encoder) throws {}
}

extension URLSession {
    /// The bytes of an answer as they come.
    public struct AsyncBytes: AsyncSequence, Sendable {
        public typealias Element = UInt8
        public struct AsyncIterator: AsyncIteratorProtocol {
            public mutating func next() async throws -> UInt8? { fatalError() }
        }
        public func makeAsyncIterator() -> AsyncIterator { fatalError() }
        public var task: URLSessionDataTask { fatalError() }
    }
    public func bytes(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (AsyncBytes, URLResponse) { fatalError() }
    public func data(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) { fatalError() }
}

extension URLSessionTaskTransactionMetrics {
    public var negotiatedTLSProtocolVersion: tls_protocol_version_t? { fatalError() }
    public var negotiatedTLSCipherSuite: tls_ciphersuite_t? { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/notification. It is not Sendable.
public struct Notification: _ObjectiveCBridgeable {
    public typealias Name = NSNotification.Name
    public var name: Name
    public var object: Any?
    public func _bridgeToObjectiveC() -> NSNotification { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSNotification, result: inout Notification?) {}
    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSNotification, result: inout Notification?
    ) -> Bool { false }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNotification?) -> Notification { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/locale/preferredlanguages
public struct Locale: Hashable, Sendable {
    public static var preferredLanguages: [String] { fatalError() }
    /// https://developer.apple.com/documentation/foundation/locale/init(identifier:)
    public init(identifier: String) {}
}
/// https://developer.apple.com/documentation/foundation/dateformatter
open class DateFormatter: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/dateformatter/style
    public enum Style: UInt, Sendable { case none, short, medium, long, full }
    public override init() { super.init() }
    open var locale: Locale! { get { fatalError() } set {} }
    open var timeZone: TimeZone! { get { fatalError() } set {} }
    open var dateStyle: Style { get { fatalError() } set {} }
    open var timeStyle: Style { get { fatalError() } set {} }
    open func setLocalizedDateFormatFromTemplate(_ dateFormatTemplate: String) {}
    open func string(from date: Date) -> String { fatalError() }
}

/// https://developer.apple.com/documentation/corefoundation/cgfloat
public struct CGFloat: Sendable, Hashable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    public init(integerLiteral value: Int) {}
    public init(floatLiteral value: Double) {}
}
/// https://developer.apple.com/documentation/corefoundation/cgrect
public struct CGRect: Sendable, Hashable {
    public static var zero: CGRect { fatalError() }
    public init(x: Double, y: Double, width: Double, height: Double) {}
}
/// https://developer.apple.com/documentation/corefoundation/cgpoint
public struct CGPoint: Sendable, Hashable { public init(x: Double, y: Double) {} }
/// https://developer.apple.com/documentation/corefoundation/cgsize
public struct CGSize: Sendable, Hashable {
    public var width: CGFloat { fatalError() }
    public var height: CGFloat { fatalError() }
}
/// https://developer.apple.com/documentation/swift/double/init(_:)
extension Double { public init(_ other: CGFloat) { self = 0 } }
#if os(macOS)
/// https://developer.apple.com/documentation/foundation/nsrect
public typealias NSRect = CGRect
#endif

/// https://developer.apple.com/documentation/foundation/timezone
public struct TimeZone: Hashable, Sendable {
    public init?(secondsFromGMT seconds: Int) {}
    public static var current: TimeZone { fatalError() }
    public static var gmt: TimeZone { fatalError() }
    public func secondsFromGMT(for date: Date = Date()) -> Int { 0 }
}
extension URL {
    public var lastPathComponent: String { fatalError() }
    /// https://developer.apple.com/documentation/foundation/url/startaccessingsecurityscopedresource()
    public func startAccessingSecurityScopedResource() -> Bool { false }
    public func stopAccessingSecurityScopedResource() {}
}
/// https://developer.apple.com/documentation/foundation/filehandle
open class FileHandle: NSObject, @unchecked Sendable {
    public convenience init(forReadingFrom url: URL) throws { fatalError() }
    public func read(upToCount count: Int) throws -> Data? { nil }
}
/// https://developer.apple.com/documentation/foundation/filewrapper
open class FileWrapper: NSObject {
    public init(regularFileWithContents contents: Data) { super.init() }
}
