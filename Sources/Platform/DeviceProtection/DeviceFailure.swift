package import PavisePrimitives

/// The device's keys cannot be had, and why.
package enum DeviceFailure: Error, Hashable, Sendable {
    /// The file system refused.
    case system(SystemFailure)
    /// A file of the device is not what was written: altered, cut, or of another device.
    case damaged(file: String)
    /// A key that the element does not know (any more): destroyed, altered, or of another device.
    case unknownKey
    /// A point that is not on the curve, or a digest of a wrong length.
    case invalidInput
    /// The cryptographic library or the random generator refused.
    case crypto(String)
    /// Another process kept the device's lock for too long.
    case busy(owner: String)

    /// One sentence for a person, with the next step.
    package var explanation: String {
        switch self {
        case .system(let failure): failure.description
        case .damaged(let file):
            "\(file) is damaged or belongs to another device. Restore it from a backup; without it, what it protects stays closed."
        case .unknownKey: "The element does not know this key: it was destroyed, altered, or made on another device."
        case .invalidInput: "The element was given a point or digest that is not one."
        case .crypto(let reason): "The cryptographic library refused: \(reason)."
        case .busy(let owner): "Another process keeps the device's lock (\(owner)). Try again."
        }
    }
}
