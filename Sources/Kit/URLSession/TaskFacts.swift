internal import Dispatch
internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// What Foundation on Linux knows about a task and gives a protocol no other way to learn: the body of an upload task,
/// the session's configuration, and whether somebody waits for the whole answer.
///
/// Read by reflection. A later Foundation may call these things differently: then bodies are missing and the request is
/// refused, as it is without the session, whose delegate may be one that pins; additional fields are missing, and
/// answers are delivered as a whole. No check is lost. Tests look at each.
struct TaskFacts {
    /// The body of an upload task.
    enum Body {
        case none
        case bytes([UInt8])
        case file(path: String)
        case unknown
    }

    /// The session, whose delegate is asked about servers; `nil` when unknown.
    let session: URLSession?
    let body: Body
    /// The session's additional fields.
    let fields: [(name: String, value: String)]
    /// Whether a completion handler waits, and not a delegate.
    let collects: Bool
    /// Seconds; `nil` when unknown.
    let resourceTimeout: Double?
    let requestTimeout: Double?
    /// Where Foundation works on the task; `nil` when unknown.
    let queue: DispatchQueue?

    init(_ task: URLSessionTask) {
        let session = Self.find("session", in: task).flatMap(Self.unwrapped) as? URLSession
        self.session = session
        let configuration = session?.configuration
        fields = (configuration?.httpAdditionalHeaders ?? [:]).map { ("\($0.key)", "\($0.value)") }
        resourceTimeout = configuration?.timeoutIntervalForResource
        requestTimeout = configuration?.timeoutIntervalForRequest
        queue = Self.find("workQueue", in: task) as? DispatchQueue
        body = task is URLSessionUploadTask ? Self.body(of: task) : .none
        collects = session.map { !Self.hasDelegate(task, in: $0) } ?? true
    }

    private static func body(of task: URLSessionTask) -> Body {
        guard let known = find("knownBody", in: task).flatMap(unwrapped) else { return .unknown }
        guard let inner = Mirror(reflecting: known).children.first?.value else { return .none }
        if let data = inner as? DispatchData { return .bytes(Array(data)) }
        // The path of a link from elsewhere names a file of this machine that nobody meant.
        if let url = inner as? URL { return url.isFileURL ? .file(path: url.path) : .unknown }
        return inner is InputStream ? .none : .unknown
    }

    /// The delegate that the task has of its own: the one of `data(for:delegate:)` is kept beside the task.
    static func ownDelegate(of task: URLSessionTask, in session: URLSession) -> (any URLSessionTaskDelegate)? {
        if let set = task.delegate, set !== session.delegate { return set }
        guard let behaviour = behaviour(of: task, in: session) else { return nil }
        let parts = Mirror(reflecting: behaviour).children.flatMap {
            [$0.value] + Mirror(reflecting: $0.value).children.map(\.value)
        }
        let found = parts.lazy.compactMap { $0 as? any URLSessionTaskDelegate }.first
        return found.flatMap { $0 === session.delegate ? nil : $0 }
    }

    private static func hasDelegate(_ task: URLSessionTask, in session: URLSession) -> Bool {
        guard session.delegate != nil else { return false }
        return behaviour(of: task, in: session).map { "\($0)".hasSuffix("callDelegate") } ?? false
    }

    private static func behaviour(of task: URLSessionTask, in session: URLSession) -> Any? {
        guard let registry = find("taskRegistry", in: session), let behaviours = find("behaviours", in: registry) else {
            return nil
        }
        return Mirror(reflecting: behaviours).children.lazy
            .compactMap { $0.value as? (key: Int, value: Any) ?? pair($0.value) }
            .first { $0.key == task.taskIdentifier }?.value
    }

    private static func pair(_ value: Any) -> (key: Int, value: Any)? {
        let parts = Array(Mirror(reflecting: value).children)
        guard parts.count == 2, let key = parts[0].value as? Int else { return nil }
        return (key, parts[1].value)
    }

    private static func find(_ label: String, in value: Any) -> Any? {
        var mirror: Mirror? = Mirror(reflecting: value)
        while let current = mirror {
            if let child = current.children.first(where: { $0.label == label }) { return child.value }
            mirror = current.superclassMirror
        }
        return nil
    }

    private static func unwrapped(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional ? mirror.children.first?.value : value
    }
}
