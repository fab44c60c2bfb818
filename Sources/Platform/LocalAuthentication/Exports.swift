// Apple's LocalAuthentication brings Foundation along, and code that imports nothing else counts on it.
@_exported public import Foundation
