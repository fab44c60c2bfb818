internal import Foundation

/// Who this program is for its keychain, in a form for the Kit.
package enum ProgramBridge {
    /// Its bundle identifier; the name of its process where it has none.
    package static var identifier: String { Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName }
}
