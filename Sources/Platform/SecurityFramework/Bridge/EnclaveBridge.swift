package import Foundation

/// A permanent P-256 key of the secure element, in a form without pointers, for the Kit.
package enum EnclaveBridge {
    /// Makes the key called `tag`, readable after the first unlock, on this device only.
    package static func create(tag: String) -> OSStatus { -4 }

    /// Encrypts to the key called `tag`, in Apple's ECIES form with a derived IV.
    package static func seal(_ plain: Data, tag: String) -> (status: OSStatus, packet: Data?) { (-4, nil) }

    /// Decrypts with the key called `tag`.
    package static func open(_ packet: Data, tag: String) -> (status: OSStatus, plain: Data?) { (-4, nil) }

    /// Deletes the key called `tag`.
    package static func delete(tag: String) -> OSStatus { -4 }

    /// Whether the key called `tag` is there.
    package static func find(tag: String) -> OSStatus { -4 }
}
