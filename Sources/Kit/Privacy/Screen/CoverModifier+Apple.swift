#if os(iOS) || os(macOS)
public import SwiftUI

extension View {
    /// Covers this view with `cover` while its scene is not active, or while the app lock is closed.
    ///
    /// ```swift
    /// Text("Slept well").paviseCover(isLocked: isLocked) { Text("Diary") }
    /// ```
    ///
    /// The content keeps its state, is not drawn and not read by assistive technology. Compiled only: no Apple system
    /// has run it. A sheet of the app lies over it; put the modifier on the sheet's content too.
    public func paviseCover<Cover: View>(
        isLocked: Bool = false, @ViewBuilder cover: @escaping @MainActor () -> Cover
    ) -> some View {
        modifier(CoverModifier(isLocked: isLocked, cover: cover))
    }
}

private struct CoverModifier<Cover: View>: ViewModifier {
    let isLocked: Bool
    let cover: @MainActor () -> Cover
    @Environment(\.scenePhase) private var phase
    @State private var machine = ScreenMachine()

    func body(content: Content) -> some View {
        let isCovered = machine.isCovered || isLocked
        content
            .opacity(isCovered ? 0 : 1)
            .accessibilityHidden(isCovered)
            .allowsHitTesting(!isCovered)
            .overlay { if isCovered { cover() } }
            .onChange(of: phase, initial: true) { _, phase in
                for event in Self.events(phase) { _ = machine.handle(event) }
            }
    }

    private static func events(_ phase: ScenePhase) -> [ScreenMachine.Event] {
        switch phase {
        case .active: [.willEnterForeground, .becameActive]
        case .background: [.willResignActive, .didEnterBackground]
        // Inactive, and what a later system adds: not to be seen.
        default: [.willResignActive]
        }
    }
}
#endif
