@_exported public import PaviseAppLock
@_exported public import PaviseLog
@_exported public import PavisePrimitives
@_exported public import PaviseProtectedStorage
@_exported public import PaviseSession
@_exported public import PaviseStorage
@_exported public import PaviseTransport
@_exported public import PaviseVault
