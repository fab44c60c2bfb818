// Declarations of ours: the root of Objective-C's classes, from Apple's documentation of NSObject.
// Pages: https://developer.apple.com/documentation/objectivec/ and the name in lower case.
#pragma once
#include <stddef.h>
#include <stdint.h>
typedef _Bool BOOL;
typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef struct _NSZone NSZone;
#pragma clang assume_nonnull begin
@class NSString;
@protocol NSObject
- (BOOL)isEqual:(nullable id)object;
@property(readonly) NSUInteger hash;
@property(readonly, copy) NSString *description;
@end
__attribute__((objc_root_class))
@interface NSObject <NSObject>
- (instancetype)init __attribute__((objc_designated_initializer));
@end
#pragma clang assume_nonnull end
