// Declarations of ours of what Pavise names of SwiftUI, from Apple's documentation. For checking types on Linux.
// Pages: https://developer.apple.com/documentation/swiftui/ and the name in lower case.
@_exported public import Foundation

/// https://developer.apple.com/documentation/swiftui/view
@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: View { public var body: Never { fatalError() } }

/// https://developer.apple.com/documentation/swiftui/viewbuilder
@resultBuilder public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}
/// https://developer.apple.com/documentation/swiftui/emptyview
public struct EmptyView: View {
    public init() {}
    public var body: Never { fatalError() }
}
extension Optional: View where Wrapped: View { public var body: Never { fatalError() } }

/// https://developer.apple.com/documentation/swiftui/text
public struct Text: View {
    public init(_ content: String) {}
    public var body: Never { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/viewmodifier
@MainActor @preconcurrency public protocol ViewModifier {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
    typealias Content = _ViewModifier_Content<Self>
}
public struct _ViewModifier_Content<Modifier: ViewModifier>: View { public var body: Never { fatalError() } }

/// https://developer.apple.com/documentation/swiftui/view/modifier(_:) and the other modifiers of the same page.
extension View {
    public func modifier<T>(_ modifier: T) -> some View { EmptyView() }
    public func opacity(_ opacity: Double) -> some View { EmptyView() }
    public func accessibilityHidden(_ hidden: Bool) -> some View { EmptyView() }
    public func allowsHitTesting(_ enabled: Bool) -> some View { EmptyView() }
    public func overlay<V: View>(@ViewBuilder content: () -> V) -> some View { EmptyView() }
    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some View { EmptyView() }
}

/// https://developer.apple.com/documentation/swiftui/scenephase
public enum ScenePhase: Comparable, Hashable, Sendable { case background, inactive, active }
/// https://developer.apple.com/documentation/swiftui/environmentvalues/scenephase
public struct EnvironmentValues: Sendable { public var scenePhase: ScenePhase { fatalError() } }
/// https://developer.apple.com/documentation/swiftui/environment
@propertyWrapper public struct Environment<Value> {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/state
@propertyWrapper public struct State<Value> {
    public init(wrappedValue value: Value) {}
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
}
