#if canImport(Darwin)
internal import PavisePrimitives

#if canImport(Foundation)
internal import Foundation
#endif

extension IntegritySurroundings {
    func run(_ check: IntegrityCheck) -> IntegrityOutcome {
        switch check {
        case .debugger: debugger()
        case .rights, .kernel: .notAsked(check, "Apple's systems do not tell an app.")
        case .code: images(ProcessSigns.images)
        case .loader: loader()
        case .program: .notAsked(check, "The system checks the app's signature itself.")
        case .files:
            Self.isPhone
                ? files(IndicatorFile.iOS) : .notAsked(check, "The list is of iOS; this is a Mac or a simulator.")
        case .sandbox: sandbox()
        }
    }

    // An app of iOS on a Mac, in Catalyst or in the simulator has the Mac's shell and tools around it.
    static var isPhone: Bool {
        #if targetEnvironment(simulator) || targetEnvironment(macCatalyst) || os(macOS)
        false
        #else
        !ProcessInfo.processInfo.isiOSAppOnMac
        #endif
    }

    private func debugger() -> IntegrityOutcome {
        guard let isTraced = ProcessSigns.isTraced else {
            return .notAsked(.debugger, "The system does not tell whether somebody traces this process.")
        }
        var outcome = IntegrityOutcome()
        if isTraced { outcome.add(.debuggerAttached, .certain, "P_TRACED") }
        if Self.isPhone, ProcessSigns.parent != 1 {
            outcome.add(.unusualParent, .likely, "parent \(ProcessSigns.parent)")
        }
        return outcome
    }

    private func loader() -> IntegrityOutcome {
        var outcome = IntegrityOutcome()
        if let value = variable("DYLD_INSERT_LIBRARIES") {
            outcome.add(.preloadVariable, Self.isPhone ? .certain : .likely, "DYLD_INSERT_LIBRARIES=\(value)")
        }
        return outcome
    }

    // Existing files alone: nothing is made, so nothing stays behind.
    private func sandbox() -> IntegrityOutcome {
        guard Self.isPhone else { return .notAsked(.sandbox, "A program of a Mac need not be in a sandbox.") }
        var outcome = IntegrityOutcome()
        for path in ["/etc/passwd", "/private/etc/hosts", "/private/etc/fstab"] where probe(path) == .possible {
            outcome.add(.systemWritable, .certain, path)
        }
        if ProcessSigns.isReadOnly("/") == false { outcome.add(.systemWritable, .likely, "/ is not mounted read-only") }
        return outcome
    }
}
#endif
