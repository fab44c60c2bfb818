internal import CoreFoundation
internal import Foundation

// Foundation on Linux copies bytes one after the other when a dictionary is asked for an NSData (see NSData+Copying): a
// query with 64 MiB would take seconds. Core Foundation's calls hand out the objects themselves.
extension NSDictionary {
    /// Gives all keys and values to `body`, in no order; the key is `nil` where it is no text. Data and texts are
    /// Swift's; everything else is as the dictionary gives it. Casts of what is in an `Any` cost more than all of this,
    /// so it is said here whether a value is an `NSNull`.
    func eachEntry<Failure: Error>(
        _ body: (_ key: String?, _ value: Any, _ isNull: Bool) throws(Failure) -> Void
    ) throws(Failure) {
        // Only these two keep their objects for as long as they live; a subclass may make them while it is asked.
        guard type(of: self) == NSDictionary.self || type(of: self) == NSMutableDictionary.self else {
            for (key, value) in self { try body(key as? String, value, value is NSNull) }
            return
        }
        var named = unsafe [UnsafeRawPointer?](repeating: nil, count: count)
        var values = unsafe named
        unsafe CFDictionaryGetKeysAndValues(
            unsafeBitCast(self, to: CoreFoundation.CFDictionary.self), &named, &values)
        for index in unsafe named.indices {
            guard let key = unsafe named[index], let value = unsafe values[index] else { continue }
            let name = unsafe Unmanaged<AnyObject>.fromOpaque(key).takeUnretainedValue()
            let held = unsafe Unmanaged<AnyObject>.fromOpaque(value).takeUnretainedValue()
            let text = (name as? NSString).map { $0 as String }
            switch held {
            case let data as NSData: try body(text, data.copied, false)
            case let value as NSString: try body(text, value as String, false)
            // A truth value or a number is the same object for the caller; nothing is to be looked up again.
            case let number as NSNumber: try body(text, number, false)
            default: try body(text, object(forKey: name) ?? held, held is NSNull)
            }
        }
    }
}
