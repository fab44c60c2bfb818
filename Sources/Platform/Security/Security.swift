@_exported public import SecurityFramework
