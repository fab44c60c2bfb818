/// The kinds of elements, by the numbers that a keybag keeps.
package enum ElementKind: UInt8, Hashable, Sendable, CaseIterable {
    /// ``SoftwareElement``.
    case software = 1
    /// A TPM 2.0.
    case tpm = 2

    /// The name for people and for `pavise device status --json`.
    package var name: String {
        switch self {
        case .software: "software"
        case .tpm: "TPM 2.0"
        }
    }
}

/// Whether this machine has a kind of element and this process may use it.
package enum ElementAvailability: Hashable, Sendable {
    /// It can be used.
    case usable
    /// There is none.
    case absent
    /// There is one, and this user has no right to it; the group that has, where there is one.
    case notPermitted(device: String, group: String?)
}

/// How one kind of element is opened.
package struct ElementFactory: Sendable {
    /// Which kind.
    package let kind: ElementKind
    /// Whether this machine has it and the process may use it.
    package let availability: @Sendable () -> ElementAvailability
    /// Opens the element whose files lie in the folder; with `true` it may be made.
    package let open: @Sendable (String, Bool) throws(DeviceFailure) -> any SecureElement

    /// Describes a kind.
    package init(
        kind: ElementKind, availability: @escaping @Sendable () -> ElementAvailability,
        open: @escaping @Sendable (String, Bool) throws(DeviceFailure) -> any SecureElement
    ) {
        self.kind = kind
        self.availability = availability
        self.open = open
    }

    /// The element of every machine.
    package static let software = ElementFactory(
        kind: .software, availability: { .usable },
        open: { folder, mayCreate throws(DeviceFailure) in try SoftwareElement.open(folder, mayCreate: mayCreate) })
}

/// Which element a new home is to have.
package enum ElementDemand: Hashable, Sendable {
    /// Hardware where there is some. Hardware that is there and may not be used stops: going on without it would be for
    /// good.
    case preferHardware
    /// None, although there may be hardware.
    case software
    /// Hardware, or no home at all.
    case hardware
}

/// Chooses the element of a home: once, when the home is made. The keybag records it; it is never changed silently.
package struct ElementChoice: Sendable {
    /// The kinds that there are, the best first.
    package let makers: [ElementFactory]
    /// What the person or the program wants.
    package var demand = ElementDemand.preferHardware

    /// A choice among `makers`.
    package init(_ makers: [ElementFactory]) { self.makers = makers }

    /// Hardware before software.
    package static let standard = ElementChoice([.tpm, .software])

    /// The kind for a home that is made now.
    ///
    /// - Parameter isHardwareRequired: Whether an administrator allows nothing but hardware, whatever the person wants.
    /// - Throws: ``DeviceFailure/hardwareNotPermitted(device:group:)`` and ``DeviceFailure/hardwareRequired``; nothing
    ///   was made.
    package func kindForNewHome(isHardwareRequired: Bool) throws(DeviceFailure) -> ElementKind {
        let needsHardware = isHardwareRequired || demand == .hardware
        guard needsHardware || demand != .software else { return .software }
        for maker in makers where maker.kind != .software {
            switch maker.availability() {
            case .usable: return maker.kind
            case .absent: continue
            case .notPermitted(let device, let group): throw .hardwareNotPermitted(device: device, group: group)
            }
        }
        guard !needsHardware else { throw .hardwareRequired }
        return .software
    }

    /// Opens the element of a home that was made with `kind`.
    ///
    /// - Throws: ``DeviceFailure/elementMissing(_:)`` when this machine has none of the kind.
    package func open(
        _ kind: ElementKind, in folder: String, mayCreate: Bool
    ) throws(DeviceFailure) -> any SecureElement {
        guard let maker = makers.first(where: { $0.kind == kind }) else { throw .elementMissing(kind.name) }
        switch maker.availability() {
        case .usable: return try maker.open(folder, mayCreate)
        case .absent: throw .elementMissing(kind.name)
        case .notPermitted: throw .hardware(TPMFailure(.noRights))
        }
    }
}
