import Foundation

/// The Core Foundation names that keychain code uses. Compiled, never run.
func coreFoundationNames(
    _ texts: CFString, _ dictionary: CFDictionary, _ array: CFArray, _ url: CFURL, _ any: CFTypeRef
) throws {
    let index: CFIndex = CFArrayGetCount(array) + CFDictionaryGetCount(dictionary)
    let flags: CFOptionFlags = 1 << 4
    let moment: CFAbsoluteTime = CFAbsoluteTimeGetCurrent()
    let number: CFNumber = 7 as CFNumber
    let yes: CFBoolean = kCFBooleanTrue
    let no: CFBoolean? = kCFBooleanFalse
    let isText = CFGetTypeID(any) == CFStringGetTypeID() || CFGetTypeID(any) == CFDataGetTypeID()
    let isSame = CFEqual(texts, any) && CFHash(texts) == CFHash(any)
    let bundle: Any? = Bundle.main.infoDictionary?[kCFBundleIdentifierKey as String]
    _ = (index, flags, moment, number, yes, no as Any, isText, isSame, bundle as Any, kCFNull as Any, url as URL)
    let widths: (NSInteger, NSUInteger) = (index, 4)
    guard CFBooleanGetValue(yes), TARGET_OS_SIMULATOR == 0, widths.0 >= 0 else { return }
    throw CFErrorCreate(kCFAllocatorDefault, kCFErrorDomainOSStatus, -50, nil) as Error
}

func errorParts(_ error: CFError) -> (CFErrorDomain, CFIndex, [String: Any]?) {
    (CFErrorGetDomain(error), CFErrorGetCode(error), CFErrorCopyUserInfo(error) as? [String: Any])
}

/// Bytes through pointers.
func pointers(_ bytes: [UInt8]) -> [UInt8] {
    let data: CFData = CFDataCreate(kCFAllocatorDefault, bytes, bytes.count)
    let mutable: CFMutableData = CFDataCreateMutable(kCFAllocatorDefault, 0)
    CFDataAppendBytes(mutable, CFDataGetBytePtr(data), CFDataGetLength(data))
    CFDataSetLength(mutable, CFDataGetLength(data))
    CFDataGetMutableBytePtr(mutable)[0] ^= 1
    var copy = [UInt8](repeating: 0, count: CFDataGetLength(mutable))
    CFDataGetBytes(mutable, CFRangeMake(0, copy.count), &copy)
    return copy
}
