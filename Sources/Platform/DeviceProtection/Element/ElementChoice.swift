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

/// How one kind of element is opened.
package struct ElementMaker: Sendable {
    /// Which kind.
    package let kind: ElementKind
    /// Whether this machine has it and the process may use it.
    package let isUsable: @Sendable () -> Bool
    /// Opens the element whose files lie in the folder; with `true` it may be made.
    package let open: @Sendable (String, Bool) throws(DeviceFailure) -> any SecureElement

    /// Describes a kind.
    package init(
        kind: ElementKind, isUsable: @escaping @Sendable () -> Bool,
        open: @escaping @Sendable (String, Bool) throws(DeviceFailure) -> any SecureElement
    ) {
        self.kind = kind
        self.isUsable = isUsable
        self.open = open
    }

    /// The element of every machine.
    package static let software = ElementMaker(
        kind: .software, isUsable: { true },
        open: { folder, mayCreate throws(DeviceFailure) in try SoftwareElement.open(folder, mayCreate: mayCreate) })
}

/// Chooses the element of a home: once, when the home is made. The keybag records it; it is never changed silently.
package struct ElementChoice: Sendable {
    /// The kinds that there are, the best first.
    package let makers: [ElementMaker]

    /// A choice among `makers`.
    package init(_ makers: [ElementMaker]) { self.makers = makers }

    /// Hardware before software.
    package static let standard = ElementChoice([.tpm, .software])

    /// The kind for a home that is made now.
    package var best: ElementKind { makers.first { $0.isUsable() }?.kind ?? .software }

    /// Opens the element of a home that was made with `kind`.
    ///
    /// - Throws: ``DeviceFailure/elementMissing(_:)`` when this machine has none of the kind.
    package func open(
        _ kind: ElementKind, in folder: String, mayCreate: Bool
    ) throws(DeviceFailure) -> any SecureElement {
        guard let maker = makers.first(where: { $0.kind == kind }), maker.isUsable() else {
            throw .elementMissing(kind.name)
        }
        return try maker.open(folder, mayCreate)
    }
}
