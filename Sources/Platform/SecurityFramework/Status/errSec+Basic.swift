// Status codes that many parts of Apple's systems share. Names and numbers as in Apple's header SecBase.h.

/// No error.
public let errSecSuccess: OSStatus = 0
/// Function or operation not implemented.
public let errSecUnimplemented: OSStatus = -4
/// The disk is full.
public let errSecDiskFull: OSStatus = -34
/// I/O error.
public let errSecIO: OSStatus = -36
/// File already open with write permission.
public let errSecOpWr: OSStatus = -49
/// One or more parameters passed to the function are not valid.
public let errSecParam: OSStatus = -50
/// No write permission.
public let errSecWrPerm: OSStatus = -61
/// Failed to allocate memory.
public let errSecAllocate: OSStatus = -108
/// The person cancelled the operation.
public let errSecUserCanceled: OSStatus = -128
/// Bad parameter or invalid state for the operation.
public let errSecBadReq: OSStatus = -909
/// An internal component failed.
public let errSecInternalComponent: OSStatus = -2070
/// An unknown Core Foundation error.
public let errSecCoreFoundationUnknown: OSStatus = -4960
/// The certificate did not sign the data.
public let errSecNotSigner: OSStatus = -26_267
/// The bytes cannot be decoded.
public let errSecDecode: OSStatus = -26_275
/// The program does not belong to this access group.
public let errSecMissingEntitlement: OSStatus = -34_018
/// This program may not use this function.
public let errSecRestrictedAPI: OSStatus = -34_020
/// An old spelling.
@available(*, deprecated, renamed: "errSecDiskFull")
public let errSecDskFull: OSStatus = errSecDiskFull
/// No error, as Carbon spelled it.
public let noErr: OSStatus = 0
