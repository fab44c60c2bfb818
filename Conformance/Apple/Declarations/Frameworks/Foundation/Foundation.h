// Declarations of ours of what Pavise names of Foundation, from Apple's documentation (developer.apple.com/documentation/foundation),
// with nullability, isolation and Sendable as documented there. For checking types on Linux; never linked.
// Pages: https://developer.apple.com/documentation/foundation/ and the name in lower case.
#pragma once
#import <ObjectiveC.h>
#include <CoreFoundationParts.h>
#include "../Security/SecurityParts.h"

#define NS_SWIFT_SENDABLE __attribute__((swift_attr("@Sendable")))
#define NS_SWIFT_NAME(name) __attribute__((swift_name(#name)))
#define NS_REFINED_FOR_SWIFT __attribute__((swift_private))
#define NS_ENUM(type, name) enum __attribute__((enum_extensibility(open))) name : type name; enum name : type
#define NS_OPTIONS(type, name) enum __attribute__((flag_enum, enum_extensibility(open))) name : type name; enum name : type
#define NS_TYPED_EXTENSIBLE_ENUM __attribute__((swift_newtype(struct)))
#define NS_TYPED_ENUM __attribute__((swift_newtype(struct)))

#pragma clang assume_nonnull begin

typedef double NSTimeInterval;
@class NSError, NSURL, NSURLRequest, NSURLResponse, NSData, NSDate, NSDictionary<Key, Value>, NSArray<Element>;

@protocol NSCopying
@end
@protocol NSSecureCoding
@end

__attribute__((swift_bridge("Swift.String")))
@interface NSString : NSObject <NSCopying>
@property(readonly) NSUInteger length;
@end
@interface NSValue : NSObject <NSCopying>
@end
@interface NSNumber : NSValue
@end
@interface NSNull : NSObject
@end
__attribute__((swift_bridge("Foundation.Data")))
@interface NSData : NSObject <NSCopying>
@property(readonly) NSUInteger length;
- (instancetype)initWithData:(NSData *)data;
@end
NS_SWIFT_SENDABLE
__attribute__((swift_bridge("Foundation.Date")))
@interface NSDate : NSObject <NSCopying>
@end
NS_SWIFT_SENDABLE
__attribute__((swift_bridge("Foundation.URL")))
@interface NSURL : NSObject <NSCopying>
@end
__attribute__((swift_bridge("Swift.Array")))
@interface NSArray<__covariant Element> : NSObject <NSCopying>
@property(readonly) NSUInteger count;
@end
__attribute__((swift_bridge("Swift.Dictionary")))
@interface NSDictionary<__covariant Key, __covariant Value> : NSObject <NSCopying>
@property(readonly) NSUInteger count;
@end
__attribute__((swift_bridge("Swift.Set")))
@interface NSSet<__covariant Element> : NSObject <NSCopying>
@end
NS_SWIFT_SENDABLE
__attribute__((swift_bridge("Swift.Error")))
@interface NSError : NSObject <NSCopying>
@property(readonly, copy) NSString *domain;
@property(readonly) NSInteger code;
@property(readonly, copy) NSDictionary<NSString *, id> *userInfo;
@property(readonly, copy) NSString *localizedDescription;
@end
extern NSString *const NSOSStatusErrorDomain;
extern NSString *const NSUnderlyingErrorKey;

// ProcessInfo
typedef NS_OPTIONS(uint64_t, NSActivityOptions) {
    NSActivityIdleSystemSleepDisabled = (1ULL << 20),
    NSActivitySuddenTerminationDisabled = (1ULL << 14),
    NSActivityAutomaticTerminationDisabled = (1ULL << 15),
    NSActivityBackground = 0x000000FFULL,
    // https://developer.apple.com/documentation/foundation/processinfo/activityoptions/userinitiatedallowingidlesystemsleep
    NSActivityUserInitiatedAllowingIdleSystemSleep = 0x00EFFFFFULL,
} NS_SWIFT_NAME(ProcessInfo.ActivityOptions);
NS_SWIFT_SENDABLE NS_SWIFT_NAME(ProcessInfo)
@interface NSProcessInfo : NSObject
@property(class, readonly, strong) NSProcessInfo *processInfo;
@property(readonly, getter=isiOSAppOnMac) BOOL iOSAppOnMac;
@property(readonly, copy) NSDictionary<NSString *, NSString *> *environment;
@property(readonly, copy) NSArray<NSString *> *arguments;
@property(readonly, copy) NSString *processName;
@property(readonly) int processIdentifier;
@property(readonly) NSTimeInterval systemUptime;
- (id<NSObject>)beginActivityWithOptions:(NSActivityOptions)options reason:(NSString *)reason
    NS_SWIFT_NAME(beginActivity(options:reason:));
- (void)endActivity:(id<NSObject>)activity;
- (void)performExpiringActivityWithReason:(NSString *)reason usingBlock:(void (NS_SWIFT_SENDABLE ^)(BOOL expired))block
    NS_SWIFT_NAME(performExpiringActivity(withReason:using:)) __attribute__((availability(macos, unavailable)));
@end

// FileManager
// https://developer.apple.com/documentation/foundation/fileattributekey
typedef NSString *NSFileAttributeKey NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(FileAttributeKey);
extern const NSFileAttributeKey NSFilePosixPermissions NS_SWIFT_NAME(FileAttributeKey.posixPermissions);
// https://developer.apple.com/documentation/foundation/fileattributekey/protectionkey
extern const NSFileAttributeKey NSFileProtectionKey NS_SWIFT_NAME(FileAttributeKey.protectionKey);
// https://developer.apple.com/documentation/foundation/fileprotectiontype
typedef NSString *NSFileProtectionType NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(FileProtectionType);
extern const NSFileProtectionType NSFileProtectionNone NS_SWIFT_NAME(FileProtectionType.none);
extern const NSFileProtectionType NSFileProtectionComplete NS_SWIFT_NAME(FileProtectionType.complete);
extern const NSFileProtectionType NSFileProtectionCompleteUnlessOpen NS_SWIFT_NAME(FileProtectionType.completeUnlessOpen);
extern const NSFileProtectionType NSFileProtectionCompleteUntilFirstUserAuthentication
    NS_SWIFT_NAME(FileProtectionType.completeUntilFirstUserAuthentication);
NS_SWIFT_NAME(FileManager)
@interface NSFileManager : NSObject
@property(class, readonly, strong) NSFileManager *defaultManager __attribute__((swift_name("default")));
- (BOOL)removeItemAtPath:(NSString *)path error:(NSError *_Nullable *_Nullable)error NS_SWIFT_NAME(removeItem(atPath:));
- (BOOL)fileExistsAtPath:(NSString *)path;
// https://developer.apple.com/documentation/foundation/filemanager
@property(readonly, copy) NSURL *temporaryDirectory;
- (BOOL)createDirectoryAtPath:(NSString *)path withIntermediateDirectories:(BOOL)makesParents
    attributes:(nullable NSDictionary<NSFileAttributeKey, id> *)attributes error:(NSError *_Nullable *_Nullable)error
    NS_SWIFT_NAME(createDirectory(atPath:withIntermediateDirectories:attributes:));
- (BOOL)setAttributes:(NSDictionary<NSFileAttributeKey, id> *)attributes ofItemAtPath:(NSString *)path
    error:(NSError *_Nullable *_Nullable)error NS_SWIFT_NAME(setAttributes(_:ofItemAtPath:));
// https://developer.apple.com/documentation/foundation/filemanager/attributesofitem(atpath:)
- (nullable NSDictionary<NSFileAttributeKey, id> *)attributesOfItemAtPath:(NSString *)path
    error:(NSError *_Nullable *_Nullable)error NS_SWIFT_NAME(attributesOfItem(atPath:));
- (nullable NSArray<NSString *> *)contentsOfDirectoryAtPath:(NSString *)path error:(NSError *_Nullable *_Nullable)error
    NS_SWIFT_NAME(contentsOfDirectory(atPath:));
// https://developer.apple.com/documentation/foundation/filemanager/createsymboliclink(atpath:withdestinationpath:)
- (BOOL)createSymbolicLinkAtPath:(NSString *)path withDestinationPath:(NSString *)target
    error:(NSError *_Nullable *_Nullable)error NS_SWIFT_NAME(createSymbolicLink(atPath:withDestinationPath:));
// https://developer.apple.com/documentation/foundation/filemanager/linkitem(atpath:topath:)
- (BOOL)linkItemAtPath:(NSString *)path toPath:(NSString *)other error:(NSError *_Nullable *_Nullable)error
    NS_SWIFT_NAME(linkItem(atPath:toPath:));
// https://developer.apple.com/documentation/foundation/filemanager/moveitem(atpath:topath:)
- (BOOL)moveItemAtPath:(NSString *)path toPath:(NSString *)other error:(NSError *_Nullable *_Nullable)error
    NS_SWIFT_NAME(moveItem(atPath:toPath:));
// https://developer.apple.com/documentation/foundation/filemanager/copyitem(atpath:topath:)
- (BOOL)copyItemAtPath:(NSString *)path toPath:(NSString *)other error:(NSError *_Nullable *_Nullable)error
    NS_SWIFT_NAME(copyItem(atPath:toPath:));
// https://developer.apple.com/documentation/foundation/filemanager/subpathsofdirectory(atpath:)
- (nullable NSArray<NSString *> *)subpathsOfDirectoryAtPath:(NSString *)path error:(NSError *_Nullable *_Nullable)error
    NS_SWIFT_NAME(subpathsOfDirectory(atPath:));
// https://developer.apple.com/documentation/foundation/filemanager/fileexists(atpath:isdirectory:)
- (BOOL)fileExistsAtPath:(NSString *)path isDirectory:(nullable BOOL *)isDirectory;
@end

// Bundle
NS_SWIFT_SENDABLE NS_SWIFT_NAME(Bundle)
@interface NSBundle : NSObject
@property(class, readonly, strong) NSBundle *mainBundle NS_SWIFT_NAME(main);
@property(readonly, copy, nullable) NSString *bundleIdentifier;
@property(readonly, copy, nullable) NSDictionary<NSString *, id> *infoDictionary;
- (nullable id)objectForInfoDictionaryKey:(NSString *)key;
@end

// UserDefaults, NotificationCenter
typedef NSString *NSNotificationName NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(NSNotification.Name);
__attribute__((swift_bridge("Foundation.Notification")))
@interface NSNotification : NSObject
@property(readonly, copy) NSNotificationName name;
@property(nullable, readonly, retain) id object;
@end
// https://developer.apple.com/documentation/foundation/userdefaults calls it safe for threads, and not Sendable.
NS_SWIFT_NAME(UserDefaults)
@interface NSUserDefaults : NSObject
@property(class, readonly, strong) NSUserDefaults *standardUserDefaults NS_SWIFT_NAME(standard);
// https://developer.apple.com/documentation/foundation/userdefaults/dictionaryrepresentation()
- (NSDictionary<NSString *, id> *)dictionaryRepresentation;
// https://developer.apple.com/documentation/foundation/userdefaults/removeobject(forkey:)
- (void)removeObjectForKey:(NSString *)defaultName NS_SWIFT_NAME(removeObject(forKey:));
// https://developer.apple.com/documentation/foundation/userdefaults/object(forkey:)
- (nullable id)objectForKey:(NSString *)defaultName NS_SWIFT_NAME(object(forKey:));
- (nullable NSDictionary<NSString *, id> *)dictionaryForKey:(NSString *)key NS_SWIFT_NAME(dictionary(forKey:));
- (void)setObject:(nullable id)value forKey:(NSString *)key NS_SWIFT_NAME(set(_:forKey:));
// https://developer.apple.com/documentation/foundation/userdefaults/objectisforced(forkey:)
- (BOOL)objectIsForcedForKey:(NSString *)key NS_SWIFT_NAME(objectIsForced(forKey:));
@end
extern const NSNotificationName NSUserDefaultsDidChangeNotification NS_SWIFT_NAME(UserDefaults.didChangeNotification);
// https://developer.apple.com/documentation/foundation/propertylistserialization
typedef NS_ENUM(NSUInteger, NSPropertyListFormat) {
    NSPropertyListOpenStepFormat = 1,
    NSPropertyListXMLFormat_v1_0 NS_SWIFT_NAME(xml) = 100,
    NSPropertyListBinaryFormat_v1_0 NS_SWIFT_NAME(binary) = 200,
} NS_SWIFT_NAME(PropertyListSerialization.PropertyListFormat);
typedef NSUInteger NSPropertyListWriteOptions NS_SWIFT_NAME(PropertyListSerialization.WriteOptions);
NS_SWIFT_NAME(PropertyListSerialization)
@interface NSPropertyListSerialization : NSObject
+ (nullable NSData *)dataWithPropertyList:(id)list format:(NSPropertyListFormat)format
    options:(NSPropertyListWriteOptions)options error:(NSError *_Nullable *_Nullable)error
    NS_SWIFT_NAME(data(fromPropertyList:format:options:));
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(OperationQueue)
@interface NSOperationQueue : NSObject
@property(class, readonly, strong) NSOperationQueue *mainQueue NS_SWIFT_NAME(main);
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(NotificationCenter)
@interface NSNotificationCenter : NSObject
@property(class, readonly, strong) NSNotificationCenter *defaultCenter __attribute__((swift_name("default")));
- (id<NSObject>)addObserverForName:(nullable NSNotificationName)name object:(nullable id)object
    queue:(nullable NSOperationQueue *)queue usingBlock:(void (NS_SWIFT_SENDABLE ^)(NSNotification *notification))block
    NS_SWIFT_NAME(addObserver(forName:object:queue:using:));
- (void)removeObserver:(id)observer;
@end
/// https://developer.apple.com/documentation/foundation/nsrecursivelock
NS_SWIFT_SENDABLE
@interface NSRecursiveLock : NSObject
- (void)lock;
- (void)unlock;
@end
NS_SWIFT_NAME(Thread)
__attribute__((swift_attr("@Sendable")))
@interface NSThread : NSObject
@property(class, readonly) BOOL isMainThread;
- (instancetype)initWithBlock:(void (NS_SWIFT_SENDABLE ^)(void))block NS_SWIFT_NAME(init(block:));
- (void)start;
@property NSUInteger stackSize;
@property(nullable, copy) NSString *name;
+ (void)sleepForTimeInterval:(NSTimeInterval)interval NS_SWIFT_NAME(sleep(forTimeInterval:));
@end

// https://developer.apple.com/documentation/foundation/stream (none of them is Sendable)
@class NSInputStream, NSOutputStream;
NS_SWIFT_NAME(Stream)
@interface NSStream : NSObject
- (void)open;
- (void)close;
// https://developer.apple.com/documentation/foundation/stream/getboundstreams(withbuffersize:inputstream:outputstream:)
+ (void)getBoundStreamsWithBufferSize:(NSUInteger)size inputStream:(NSInputStream *_Nullable *_Nullable)input
    outputStream:(NSOutputStream *_Nullable *_Nullable)output
    NS_SWIFT_NAME(getBoundStreams(withBufferSize:inputStream:outputStream:));
@end
NS_SWIFT_NAME(InputStream)
@interface NSInputStream : NSStream
@end
NS_SWIFT_NAME(OutputStream)
@interface NSOutputStream : NSStream
@property(readonly) BOOL hasSpaceAvailable;
- (NSInteger)write:(const uint8_t *)bytes maxLength:(NSUInteger)count NS_SWIFT_NAME(write(_:maxLength:));
@end

// The URL loading system
typedef NS_ENUM(NSUInteger, NSURLRequestCachePolicy) {
    NSURLRequestUseProtocolCachePolicy = 0,
    NSURLRequestReloadIgnoringLocalCacheData = 1,
    NSURLRequestReloadIgnoringLocalAndRemoteCacheData = 4,
} NS_SWIFT_NAME(NSURLRequest.CachePolicy);
NS_SWIFT_SENDABLE
__attribute__((swift_bridge("Foundation.URLRequest")))
@interface NSURLRequest : NSObject <NSCopying>
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLResponse)
@interface NSURLResponse : NSObject <NSCopying>
@property(readonly, nullable, copy) NSURL *URL;
@property(readonly) long long expectedContentLength;
@property(readonly, nullable, copy) NSString *MIMEType NS_SWIFT_NAME(mimeType);
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(HTTPURLResponse)
@interface NSHTTPURLResponse : NSURLResponse
@property(readonly) NSInteger statusCode;
@property(readonly, copy) NSDictionary *allHeaderFields;
- (nullable NSString *)valueForHTTPHeaderField:(NSString *)field NS_SWIFT_NAME(value(forHTTPHeaderField:));
- (nullable instancetype)initWithURL:(NSURL *)url statusCode:(NSInteger)statusCode
    HTTPVersion:(nullable NSString *)version headerFields:(nullable NSDictionary<NSString *, NSString *> *)fields
    NS_SWIFT_NAME(init(url:statusCode:httpVersion:headerFields:));
@end
typedef NS_ENUM(NSUInteger, NSURLCredentialPersistence) {
    NSURLCredentialPersistenceNone,
    NSURLCredentialPersistenceForSession,
    NSURLCredentialPersistencePermanent,
    NSURLCredentialPersistenceSynchronizable,
} NS_SWIFT_NAME(URLCredential.Persistence);
NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLCredential)
@interface NSURLCredential : NSObject <NSCopying>
- (instancetype)initWithIdentity:(SecIdentityRef)identity certificates:(nullable NSArray *)certificates
    persistence:(NSURLCredentialPersistence)persistence NS_SWIFT_NAME(init(identity:certificates:persistence:));
- (instancetype)initWithTrust:(SecTrustRef)trust NS_SWIFT_NAME(init(trust:));
- (instancetype)initWithUser:(NSString *)user password:(NSString *)password
    persistence:(NSURLCredentialPersistence)persistence NS_SWIFT_NAME(init(user:password:persistence:));
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLProtectionSpace)
@interface NSURLProtectionSpace : NSObject <NSCopying>
@property(readonly, copy) NSString *host;
@property(readonly) NSInteger port;
@property(readonly, copy) NSString *authenticationMethod;
@property(readonly, nullable) SecTrustRef serverTrust;
@end
extern NSString *const NSURLAuthenticationMethodServerTrust;
extern NSString *const NSURLAuthenticationMethodClientCertificate;
NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLAuthenticationChallenge)
@interface NSURLAuthenticationChallenge : NSObject
@property(readonly, copy) NSURLProtectionSpace *protectionSpace;
@property(readonly) NSInteger previousFailureCount;
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLCache)
@interface NSURLCache : NSObject
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(HTTPCookieStorage)
@interface NSHTTPCookieStorage : NSObject
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLCredentialStorage)
@interface NSURLCredentialStorage : NSObject
@end
typedef enum __attribute__((enum_extensibility(open))) : uint16_t {
    tls_protocol_version_TLSv12 NS_SWIFT_NAME(TLSv12) = 0x0303,
    tls_protocol_version_TLSv13 NS_SWIFT_NAME(TLSv13) = 0x0304,
} tls_protocol_version_t;
typedef enum __attribute__((enum_extensibility(open))) : uint16_t {
    tls_ciphersuite_AES_128_GCM_SHA256 NS_SWIFT_NAME(AES_128_GCM_SHA256) = 0x1301,
} tls_ciphersuite_t;
NS_SWIFT_NAME(URLSessionConfiguration)
NS_SWIFT_SENDABLE
@interface NSURLSessionConfiguration : NSObject <NSCopying>
@property(class, readonly, strong) NSURLSessionConfiguration *ephemeralSessionConfiguration NS_SWIFT_NAME(ephemeral);
@property(class, readonly, strong) NSURLSessionConfiguration *defaultSessionConfiguration
    __attribute__((swift_name("default")));
@property NSTimeInterval timeoutIntervalForRequest;
@property NSTimeInterval timeoutIntervalForResource;
@property(nullable, retain) NSURLCache *URLCache NS_SWIFT_NAME(urlCache);
@property(nullable, retain) NSHTTPCookieStorage *HTTPCookieStorage NS_SWIFT_NAME(httpCookieStorage);
@property(nullable, retain) NSURLCredentialStorage *URLCredentialStorage NS_SWIFT_NAME(urlCredentialStorage);
@property BOOL HTTPShouldSetCookies NS_SWIFT_NAME(httpShouldSetCookies);
@property NSInteger HTTPMaximumConnectionsPerHost NS_SWIFT_NAME(httpMaximumConnectionsPerHost);
@property tls_protocol_version_t TLSMinimumSupportedProtocolVersion NS_SWIFT_NAME(tlsMinimumSupportedProtocolVersion);
@property BOOL waitsForConnectivity;
@end
typedef NS_ENUM(NSInteger, NSURLSessionAuthChallengeDisposition) {
    NSURLSessionAuthChallengeUseCredential = 0,
    NSURLSessionAuthChallengePerformDefaultHandling = 1,
    NSURLSessionAuthChallengeCancelAuthenticationChallenge = 2,
    NSURLSessionAuthChallengeRejectProtectionSpace = 3,
} NS_SWIFT_NAME(URLSession.AuthChallengeDisposition);
@class NSURLSession;
NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLSessionTask)
@interface NSURLSessionTask : NSObject <NSCopying>
@property(readonly) NSUInteger taskIdentifier;
@property(nullable, readonly, copy) NSURLRequest *originalRequest;
@property(nullable, readonly, copy) NSURLResponse *response;
- (void)cancel;
- (void)resume;
- (void)suspend;
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLSessionDataTask)
@interface NSURLSessionDataTask : NSURLSessionTask
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLSessionUploadTask)
@interface NSURLSessionUploadTask : NSURLSessionDataTask
@end
// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics
NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLSessionTaskTransactionMetrics)
@interface NSURLSessionTaskTransactionMetrics : NSObject
@property(nullable, copy, readonly) NSDate *fetchStartDate;
@property(nullable, copy, readonly) NSDate *domainLookupEndDate;
@property(nullable, copy, readonly) NSDate *connectEndDate;
@property(nullable, copy, readonly) NSDate *secureConnectionEndDate;
@property(nullable, copy, readonly) NSDate *responseStartDate;
@property(nullable, copy, readonly) NSDate *responseEndDate;
@property(nullable, copy, readonly) NSString *networkProtocolName;
@property(readonly, getter=isReusedConnection) BOOL reusedConnection;
@property(readonly) int64_t countOfRequestBodyBytesSent;
@property(readonly) int64_t countOfResponseBodyBytesReceived;
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLSessionTaskMetrics)
@interface NSURLSessionTaskMetrics : NSObject
@property(copy, readonly) NSArray<NSURLSessionTaskTransactionMetrics *> *transactionMetrics;
@end
typedef NS_ENUM(NSInteger, NSURLSessionResponseDisposition) {
    NSURLSessionResponseCancel = 0,
    NSURLSessionResponseAllow = 1,
} NS_SWIFT_NAME(URLSession.ResponseDisposition);
NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLSessionDelegate)
@protocol NSURLSessionDelegate <NSObject>
@optional
- (void)URLSession:(NSURLSession *)session didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(
        NSURLSessionAuthChallengeDisposition disposition, NSURLCredential *_Nullable credential))completionHandler
    NS_SWIFT_NAME(urlSession(_:didReceive:completionHandler:));
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLSessionTaskDelegate)
@protocol NSURLSessionTaskDelegate <NSURLSessionDelegate>
@optional
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task
    willPerformHTTPRedirection:(NSHTTPURLResponse *)response newRequest:(NSURLRequest *)request
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(NSURLRequest *_Nullable request))completionHandler
    NS_SWIFT_NAME(urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:));
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task
    didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(
        NSURLSessionAuthChallengeDisposition disposition, NSURLCredential *_Nullable credential))completionHandler
    NS_SWIFT_NAME(urlSession(_:task:didReceive:completionHandler:));
// https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate/urlsession(_:task:neednewbodystream:)
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task
    needNewBodyStream:(void (NS_SWIFT_SENDABLE ^)(NSInputStream *_Nullable bodyStream))completionHandler
    NS_SWIFT_NAME(urlSession(_:task:needNewBodyStream:));
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task didSendBodyData:(int64_t)count
    totalBytesSent:(int64_t)sent totalBytesExpectedToSend:(int64_t)expected
    NS_SWIFT_NAME(urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:));
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task
    didFinishCollectingMetrics:(NSURLSessionTaskMetrics *)metrics
    NS_SWIFT_NAME(urlSession(_:task:didFinishCollecting:));
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task
    didCompleteWithError:(nullable NSError *)error NS_SWIFT_NAME(urlSession(_:task:didCompleteWithError:));
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLSessionDataDelegate)
@protocol NSURLSessionDataDelegate <NSURLSessionTaskDelegate>
@optional
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)task
    didReceiveResponse:(NSURLResponse *)response
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(NSURLSessionResponseDisposition disposition))completionHandler
    NS_SWIFT_NAME(urlSession(_:dataTask:didReceive:completionHandler:));
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)task didReceiveData:(NSData *)data
    NS_SWIFT_NAME(urlSession(_:dataTask:didReceive:));
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLSession)
@interface NSURLSession : NSObject
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration
    delegate:(nullable id<NSURLSessionDelegate>)delegate delegateQueue:(nullable NSOperationQueue *)queue
    NS_SWIFT_NAME(init(configuration:delegate:delegateQueue:));
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request NS_SWIFT_NAME(dataTask(with:));
// https://developer.apple.com/documentation/foundation/urlsession/uploadtask(withstreamedrequest:)
- (NSURLSessionUploadTask *)uploadTaskWithStreamedRequest:(NSURLRequest *)request
    NS_SWIFT_NAME(uploadTask(withStreamedRequest:));
- (NSURLSessionUploadTask *)uploadTaskWithRequest:(NSURLRequest *)request fromFile:(NSURL *)file
    NS_SWIFT_NAME(uploadTask(with:fromFile:));
- (void)finishTasksAndInvalidate;
- (void)invalidateAndCancel;
@end

#pragma clang assume_nonnull end
