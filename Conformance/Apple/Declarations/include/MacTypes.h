// Declarations of ours; see darwin.h. Types of Core Services that Core Foundation's headers name.
// Pages: https://opensource.apple.com/source/CarbonHeaders/ (MacTypes.h).
#pragma once
#define __MACTYPES__
#define UNIVERSAL_INTERFACES_VERSION 0x0400
#include <stdint.h>
typedef int32_t OSStatus;
typedef int16_t OSErr;
typedef unsigned char Boolean;
typedef uint8_t UInt8;
typedef int8_t SInt8;
typedef uint16_t UInt16;
typedef int16_t SInt16;
typedef uint32_t UInt32;
typedef int32_t SInt32;
typedef uint64_t UInt64;
typedef int64_t SInt64;
typedef float Float32;
typedef double Float64;
typedef uint16_t UniChar;
typedef unsigned long UniCharCount;
typedef uint32_t UTF32Char;
typedef uint16_t UTF16Char;
typedef uint8_t UTF8Char;
typedef unsigned char *StringPtr;
typedef const unsigned char *ConstStringPtr;
typedef unsigned char Str255[256];
typedef const unsigned char *ConstStr255Param;
typedef int16_t RegionCode;
typedef int16_t LangCode;
typedef int16_t ScriptCode;
typedef uint32_t FourCharCode;
typedef FourCharCode OSType;
typedef UInt8 Byte;
typedef SInt8 SignedByte;
enum { noErr = 0 };
