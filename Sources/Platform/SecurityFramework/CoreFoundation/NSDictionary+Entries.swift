internal import CoreFoundation
internal import Foundation

// Foundation on Linux copies bytes one after the other when a dictionary is asked for an NSData (see NSData+Copying): a
// query with 64 MiB would take seconds. Core Foundation's calls hand out the objects themselves.
extension NSDictionary {
    /// All keys and values, in no order; the key is `nil` where it is no text. Data and texts are Swift's; everything else is
    /// as the dictionary gives it.
    var entries: [(key: String?, value: Any)] {
        // Only these two keep their objects for as long as they live; a subclass may make them while it is asked.
        guard type(of: self) == NSDictionary.self || type(of: self) == NSMutableDictionary.self else {
            return map { ($0.key as? String, $0.value) }
        }
        var named = unsafe [UnsafeRawPointer?](repeating: nil, count: count)
        var values = unsafe named
        unsafe CFDictionaryGetKeysAndValues(
            unsafeBitCast(self, to: CoreFoundation.CFDictionary.self), &named, &values)
        return unsafe zip(named, values).compactMap { key, value in
            guard let key = unsafe key, let value = unsafe value else { return nil }
            let name = unsafe Unmanaged<AnyObject>.fromOpaque(key).takeUnretainedValue()
            let object = unsafe Unmanaged<AnyObject>.fromOpaque(value).takeUnretainedValue()
            return (Self.plain(name), plain(object, of: name))
        }
    }

    private static func plain(_ key: AnyObject) -> String? { (key as? NSString).map { $0 as String } }

    private func plain(_ value: AnyObject, of key: AnyObject) -> Any {
        switch value {
        case let data as NSData: data.copied
        case let text as NSString: text as String
        // A truth value or a number is the same object for the caller; nothing is to be looked up again.
        case let number as NSNumber: number
        default: object(forKey: key) ?? value
        }
    }
}
