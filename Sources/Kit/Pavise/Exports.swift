// What an app sees behind the one import: `Documentation/PublicAPI.txt` lists it, and `Scripts/public-api` compares.
// The rest of each module is there for whoever imports that module.
@_exported public import class PaviseAppLock.AppLock
@_exported public import enum PaviseAppLock.AppLockFailure
@_exported public import struct PaviseAppLock.AppLockPolicy
@_exported public import enum PaviseAppLock.AppLockState
@_exported public import protocol PaviseAppLock.BiometricKeeper
@_exported public import enum PaviseAppLock.LockReason
@_exported public import struct PaviseAppLock.SystemBiometrics
@_exported public import struct PaviseLog.Log
@_exported public import struct PaviseLog.LogMessage
@_exported public import struct PavisePrimitives.SecretBytes
@_exported public import struct PavisePrimitives.SystemFailure
@_exported public import enum PaviseProtectedStorage.ProtectedDatabaseError
@_exported public import enum PaviseProtectedStorage.ProtectionClass
@_exported public import enum PaviseProtectedStorage.SQLValue
@_exported public import class PaviseProtectedStorage.SealedFileReader
@_exported public import enum PaviseProtectedStorage.StorageDamage
@_exported public import enum PaviseProtectedStorage.StorageFailure
@_exported public import enum PaviseProtectedStorage.StorageLimit
@_exported public import struct PaviseProtectedStorage.StoredFileAttributes
@_exported public import struct PaviseProtectedStorage.StoredFileID
@_exported public import struct PaviseSession.AddressReader
@_exported public import protocol PaviseSession.Browser
@_exported public import struct PaviseSession.BrowserFailure
@_exported public import enum PaviseSession.DPoPPolicy
@_exported public import enum PaviseSession.DegradedReason
@_exported public import struct PaviseSession.DevicePrompt
@_exported public import struct PaviseSession.RedirectAddress
@_exported public import class PaviseSession.RedirectReceiver
@_exported public import struct PaviseSession.RefreshPolicy
@_exported public import enum PaviseSession.ReloginReason
@_exported public import enum PaviseSession.SessionFailure
@_exported public import enum PaviseSession.SessionState
@_exported public import class PaviseSession.SharedSecret
@_exported public import enum PaviseSession.SignInFailure
@_exported public import struct PaviseSession.SignOutReport
@_exported public import struct PaviseSession.SystemBrowser
@_exported public import struct PaviseSession.UserInfo
@_exported public import class PaviseStorage.CacheGroup
@_exported public import struct PaviseStorage.ConnectionDescriptor
@_exported public import class PaviseStorage.MemoryCache
@_exported public import struct PaviseStorage.ProtectedFiles
@_exported public import struct PaviseStorage.StreamedContent
@_exported public import struct PaviseTransport.CertificateChange
@_exported public import struct PaviseTransport.CertificateRefusal
@_exported public import struct PaviseTransport.CertificateReview
@_exported public import struct PaviseTransport.CertificateSummary
@_exported public import struct PaviseTransport.DownloadProgress
@_exported public import protocol PaviseTransport.HTTPClient
@_exported public import struct PaviseTransport.HTTPFields
@_exported public import struct PaviseTransport.HTTPRequest
@_exported public import struct PaviseTransport.HTTPResponse
@_exported public import struct PaviseTransport.ManagedFile
@_exported public import struct PaviseTransport.MultipartForm
@_exported public import struct PaviseTransport.Origin
@_exported public import struct PaviseTransport.Pin
@_exported public import struct PaviseTransport.PinSet
@_exported public import enum PaviseTransport.ServerNotice
@_exported public import enum PaviseTransport.TransportFailure
@_exported public import enum PaviseTransport.TrustFailure
@_exported public import class PaviseTransport.UploadFile
@_exported public import struct PaviseTransport.WebURL
@_exported public import enum PaviseVault.VaultFailure

#if os(Linux)
@_exported public import struct PaviseStorage.DatabaseAccess
@_exported public import struct PaviseStorage.DatabaseMigration
@_exported public import struct PaviseStorage.DatabaseRow
@_exported public import class PaviseStorage.ProtectedDatabase
@_exported public import struct PaviseStorage.SQL
@_exported public import protocol PaviseStorage.SQLConvertible
#endif

#if canImport(Darwin)
@_exported public import class PaviseSession.SignInSheet
#endif
