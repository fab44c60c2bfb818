#if os(Linux)
internal import PaviseCurl
internal import PavisePrimitives

/// The pools of connections of one policy: one for each set of demands of App Transport Security, so that a connection
/// which was made under looser ones never carries a request with stricter ones, and one for each code that is asked
/// about servers.
struct PoolTable {
    /// The most pools. The one that was not used for the longest time goes; what runs in it ends first.
    static let limit = 16

    private struct Entry {
        let parameters: ATSParameters
        let inquiries: InquiryPool?
        let pool: ConnectionPool
    }

    let policy: TrustPolicy
    private let engine: CurlEngine
    private let time: TimeSource
    private let options: ClientOptions
    private let evaluate: ChainEvaluator
    // The latest first.
    private var entries: [Entry] = []

    init(
        of engine: CurlEngine, policy: TrustPolicy, time: TimeSource, options: ClientOptions,
        evaluate: @escaping ChainEvaluator
    ) {
        self.policy = policy
        self.engine = engine
        self.time = time
        self.options = options
        self.evaluate = evaluate
    }

    /// How many pools there are.
    var count: Int { entries.count }

    /// The pool for requests under `parameters` about whose servers `inquiries` is asked.
    mutating func pool(under parameters: ATSParameters, askedBy inquiries: InquiryPool? = nil) -> ConnectionPool {
        if let index = entries.firstIndex(where: { $0.inquiries === inquiries && $0.parameters == parameters }) {
            if index > 0 { entries.insert(entries.remove(at: index), at: 0) }
            return entries[0].pool
        }
        let pool = engine.pool(settings(parameters))
        entries.insert(Entry(parameters: parameters, inquiries: inquiries, pool: pool), at: 0)
        if entries.count > Self.limit { entries.removeLast() }
        return pool
    }

    private func settings(_ asked: ATSParameters) -> PoolSettings {
        let parameters = asked.tightened(to: policy.tls)
        let judge = PresentedServerJudge(
            policy: policy, parameters: parameters, time: time, evaluate: evaluate, report: options.pinReports)
        var settings = PoolSettings(profile: parameters.clientProfile(under: policy.tls)) {
            judge.verdict(on: $0, host: $1, port: $2)
        }
        settings.connectionsPerHost = options.connectionsPerHost
        settings.connections = options.connections
        settings.offersHTTP2 = options.offersHTTP2
        if !options.certificates.isEmpty {
            let identities = options.certificates.map { ($0.origin, $0.identityForTLS) }
            settings.identity = { host, port in
                identities.first { $0.0.host == host && $0.0.port == port }?.1
            }
        }
        return settings
    }
}
#endif
