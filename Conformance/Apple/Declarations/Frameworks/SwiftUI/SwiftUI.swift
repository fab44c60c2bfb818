// Declarations of ours of what Pavise names of SwiftUI, from Apple's documentation. For checking types on Linux.
// Pages: https://developer.apple.com/documentation/swiftui/ and the name in lower case.
@_exported public import Foundation
public import UniformTypeIdentifiers
#if os(iOS)
public import UIKit
#else
public import AppKit
#endif

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
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> { TupleView() }
    public static func buildEither<A: View, B: View>(first: A) -> _ConditionalContent<A, B> { _ConditionalContent() }
    public static func buildEither<A: View, B: View>(second: B) -> _ConditionalContent<A, B> { _ConditionalContent() }
}
/// https://developer.apple.com/documentation/swiftui/tupleview
public struct TupleView<T>: View { public var body: Never { fatalError() } }
public struct _ConditionalContent<A, B>: View { public var body: Never { fatalError() } }
/// https://developer.apple.com/documentation/swiftui/emptyview
public struct EmptyView: View {
    public init() {}
    public var body: Never { fatalError() }
}
extension Optional: View where Wrapped: View { public var body: Never { fatalError() } }

/// https://developer.apple.com/documentation/swiftui/text
public struct Text: View {
    public init<S: StringProtocol>(_ content: S) {}
    public init(verbatim content: String) {}
    public func font(_ font: Font?) -> Text { self }
    /// https://developer.apple.com/documentation/swiftui/text/monospaced(_:)
    public func monospaced(_ isActive: Bool = true) -> Text { self }
    public var body: Never { fatalError() }
}

#if os(iOS)
/// https://developer.apple.com/documentation/swiftui/textinputautocapitalization
public struct TextInputAutocapitalization: Sendable {
    public static var never: TextInputAutocapitalization { fatalError() }
}
#endif

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
    public func autocorrectionDisabled(_ disable: Bool = true) -> some View { EmptyView() }
    public func privacySensitive(_ sensitive: Bool = true) -> some View { EmptyView() }
    #if os(iOS)
    public func textInputAutocapitalization(_ autocapitalization: TextInputAutocapitalization?) -> some View {
        EmptyView()
    }
    #endif
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
#if os(iOS)
extension EnvironmentValues {
    /// https://developer.apple.com/documentation/swiftui/environmentvalues/isscenecaptured
    public var isSceneCaptured: Bool { fatalError() }
}
#endif
/// https://developer.apple.com/documentation/swiftui/environment
@propertyWrapper public struct Environment<Value> {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/state
@propertyWrapper public struct State<Value> {
    public init(wrappedValue value: Value) {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/binding
@dynamicMemberLookup @propertyWrapper public struct Binding<Value> {
    /// https://developer.apple.com/documentation/swiftui/binding/init(_:)-5z9t9
    public init?(_ base: Binding<Value?>) { nil }
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        fatalError()
    }
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
    public var projectedValue: Binding<Value> { self }
}
/// https://developer.apple.com/documentation/swiftui/bindable
@dynamicMemberLookup @propertyWrapper public struct Bindable<Value> {
    public var wrappedValue: Value
    public init(wrappedValue: Value) where Value: AnyObject { self.wrappedValue = wrappedValue }
    public var projectedValue: Bindable<Value> { self }
    public subscript<Subject>(
        dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
    ) -> Binding<Subject> where Value: AnyObject { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/app
@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
}
extension App { public static func main() {} }
/// https://developer.apple.com/documentation/swiftui/scene
@MainActor @preconcurrency public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: Scene {}
/// https://developer.apple.com/documentation/swiftui/scenebuilder
@resultBuilder public struct SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}
/// https://developer.apple.com/documentation/swiftui/windowgroup
public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/vstack
public struct VStack<Content: View>: View {
    public init(spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/hstack
public struct HStack<Content: View>: View {
    public init(spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/scrollview
public struct ScrollView<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/list
public struct List<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/form
public struct Form<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/section
public struct Section<Content: View>: View {
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/tabview
public struct TabView<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/navigationstack
public struct NavigationStack<Root: View>: View {
    public init(@ViewBuilder root: () -> Root) {}
    public var body: Never { fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/foreach
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
    public init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {}
    public var body: Never { fatalError() }
}
extension ForEach where Data == Range<Int>, ID == Int {
    public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {}
}
/// https://developer.apple.com/documentation/swiftui/button
public struct Button<Label: View>: View {
    @preconcurrency public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
    public var body: Never { fatalError() }
}
extension Button where Label == Text {
    @preconcurrency public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {}
    @preconcurrency public init<S: StringProtocol>(
        _ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void
    ) {}
}
/// https://developer.apple.com/documentation/swiftui/toggle
public struct Toggle: View {
    public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) {}
    public var body: Never { fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/picker
public struct Picker<SelectionValue: Hashable, Content: View>: View {
    public init<S: StringProtocol>(
        _ title: S, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) {}
    public var body: Never { fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/buttonrole
public struct ButtonRole: Sendable {
    public static let destructive = ButtonRole()
    public static let cancel = ButtonRole()
}
/// https://developer.apple.com/documentation/swiftui/label
public struct Label: View {
    public init<S: StringProtocol>(_ title: S, systemImage name: String) {}
    public var body: Never { fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/textfield
public struct TextField: View {
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) {}
    public var body: Never { fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/progressview
public struct ProgressView: View {
    public init() {}
    public var body: Never { fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/font
public struct Font: Sendable {
    public static let title = Font()
    public static let headline = Font()
    public static let caption = Font()
}
/// https://developer.apple.com/documentation/swiftui/color
public struct Color: ShapeStyle {
    public static let red = Color()
    public static let indigo = Color()
    public static let secondary = Color()
    public func opacity(_ opacity: Double) -> Color { self }
}
/// https://developer.apple.com/documentation/swiftui/colorscheme
public enum ColorScheme: CaseIterable, Hashable, Sendable { case light, dark }
/// https://developer.apple.com/documentation/swiftui/shapestyle
public protocol ShapeStyle: Sendable {}
extension ShapeStyle where Self == Color { public static var red: Color { Color() } }

extension View {
    public func font(_ font: Font?) -> some View { EmptyView() }
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { EmptyView() }
    public func disabled(_ disabled: Bool) -> some View { EmptyView() }
    public func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> some View { EmptyView() }
    public func preferredColorScheme(_ colorScheme: ColorScheme?) -> some View { EmptyView() }
    public func tag<V: Hashable>(_ tag: V) -> some View { EmptyView() }
    public func onSubmit(_ action: @escaping () -> Void) -> some View { EmptyView() }
    public func keyboardShortcut(_ shortcut: KeyboardShortcut) -> some View { EmptyView() }
    public func keyboardShortcut(_ key: KeyEquivalent, modifiers: EventModifiers = .command) -> some View {
        EmptyView()
    }
    public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View { EmptyView() }
    public func accessibilityValue<S: StringProtocol>(_ value: S) -> some View { EmptyView() }
    public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { EmptyView() }
    public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View { EmptyView() }
    public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View { EmptyView() }
    public func onAppear(perform action: (() -> Void)? = nil) -> some View { EmptyView() }
    public func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View { EmptyView() }
    public func sheet<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
    ) -> some View { EmptyView() }
    public func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View { EmptyView() }
    public func alert<S: StringProtocol, A: View, M: View>(
        _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M
    ) -> some View { EmptyView() }
    public func fileImporter(
        isPresented: Binding<Bool>, allowedContentTypes: [UTType],
        onCompletion: @escaping (Result<URL, any Error>) -> Void
    ) -> some View { EmptyView() }
    public func fileExporter<D: FileDocument>(
        isPresented: Binding<Bool>, document: D?, contentType: UTType, defaultFilename: String? = nil,
        onCompletion: @escaping (Result<URL, any Error>) -> Void
    ) -> some View { EmptyView() }
}

/// https://developer.apple.com/documentation/swiftui/keyequivalent
public struct KeyEquivalent: Sendable {
    public init(_ character: Character) {}
    public static let delete = KeyEquivalent("\u{8}")
}
/// https://developer.apple.com/documentation/swiftui/eventmodifiers
public struct EventModifiers: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let command = EventModifiers(rawValue: 16)
}
/// https://developer.apple.com/documentation/swiftui/keyboardshortcut
public struct KeyboardShortcut: Sendable {
    public static let defaultAction = KeyboardShortcut()
}

/// https://developer.apple.com/documentation/swiftui/canvas
public struct Canvas: View {
    public init(renderer: @escaping (inout GraphicsContext, CGSize) -> Void) {}
    public var body: Never { fatalError() }
}
/// https://developer.apple.com/documentation/swiftui/graphicscontext
public struct GraphicsContext {
    /// https://developer.apple.com/documentation/swiftui/graphicscontext/shading
    public struct Shading: Sendable { public static func color(_ color: Color) -> Shading { Shading() } }
    public func fill(_ path: Path, with shading: Shading) {}
    public func draw(_ text: Text, at point: CGPoint, anchor: UnitPoint = .center) {}
}
/// https://developer.apple.com/documentation/swiftui/path
public struct Path: Sendable { public init(_ rect: CGRect) {} }
/// https://developer.apple.com/documentation/swiftui/unitpoint
public struct UnitPoint: Hashable, Sendable {
    public static let center = UnitPoint()
    public static let trailing = UnitPoint()
}

/// https://developer.apple.com/documentation/swiftui/filedocument
@preconcurrency public protocol FileDocument: Sendable {
    static var readableContentTypes: [UTType] { get }
    typealias ReadConfiguration = FileDocumentReadConfiguration
    typealias WriteConfiguration = FileDocumentWriteConfiguration
    init(configuration: ReadConfiguration) throws
    func fileWrapper(configuration: WriteConfiguration) throws -> FileWrapper
}
public struct FileDocumentReadConfiguration {}
public struct FileDocumentWriteConfiguration {}

#if os(iOS)
/// https://developer.apple.com/documentation/swiftui/uiapplicationdelegateadaptor
@MainActor @preconcurrency @propertyWrapper
public struct UIApplicationDelegateAdaptor<Delegate: NSObject & UIApplicationDelegate> {
    public init(_ delegateType: Delegate.Type = Delegate.self) {}
    public var wrappedValue: Delegate { fatalError() }
}
#endif

#if os(macOS)
/// https://developer.apple.com/documentation/swiftui/nsapplicationdelegateadaptor
@MainActor @preconcurrency @propertyWrapper
public struct NSApplicationDelegateAdaptor<Delegate: NSObject & NSApplicationDelegate> {
    public init(_ delegateType: Delegate.Type = Delegate.self) {}
    public var wrappedValue: Delegate { fatalError() }
}
#endif
