/// What stands around a page in a view of the system. Each layer alone can fail, by a mistake of ours or of the system:
/// the view shows a page only where all of them stand.
public struct ViewLayers: Hashable, Sendable {
    /// A layer.
    public enum Layer: String, Hashable, Sendable, CaseIterable {
        /// The page is written from the closed alphabet: ``DocumentPage``.
        case closedAlphabet = "closed alphabet"
        /// The page's own policy.
        case contentSecurityPolicy = "content security policy"
        /// The page has no origin, and may neither run, send nor open anything (CSP level 3, `sandbox`): a header or
        /// the view demands it, a page cannot.
        case sandbox
        /// Scripts are switched off in the view.
        case scriptsOff = "scripts off"
        /// Nothing of the view is kept.
        case temporaryStore = "temporary store"
        /// A list of rules blocks every address.
        case ruleList = "rule list"
        /// Whoever decides about navigation refuses all but the first load.
        case navigationRefused = "navigation refused"
    }

    private var standing: Set<Layer> = []

    /// None stands.
    public init() {}

    /// One stands now.
    public mutating func stands(_ layer: Layer) { standing.insert(layer) }

    /// What is missing, in the order of the layers. A page is shown only where this is empty.
    public var missing: [Layer] { Layer.allCases.filter { !standing.contains($0) } }

    /// Whether a page may be shown.
    public var mayShow: Bool { missing.isEmpty }
}
