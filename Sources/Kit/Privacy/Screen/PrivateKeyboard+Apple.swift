#if os(iOS)
public import SwiftUI
public import UIKit

/// What is typed and private: by the system's own keyboard, which learns nothing of it.
///
/// ```swift
/// TextField("Note", text: $note).pavisePrivateText()
/// ```
///
/// A keyboard of another maker sees every key, and may send it anywhere. Compiled only: no Apple system has run it.
public enum PrivateKeyboard {
    /// The answer of the app's delegate to `application(_:shouldAllowExtensionPointIdentifier:)`: no keyboard of
    /// another maker in the whole app. The system asks once.
    public static func allows(_ point: UIApplication.ExtensionPointIdentifier) -> Bool { point != .keyboard }
}

extension View {
    /// For a field whose text is private and may be seen by who types it: the keyboard neither corrects nor learns it,
    /// and the system hides it where it hides what is sensitive. A secret belongs into a `SecureField`, a PIN into
    /// keys of the app's own.
    public func pavisePrivateText() -> some View {
        autocorrectionDisabled().textInputAutocapitalization(.never).privacySensitive()
    }
}
#endif
