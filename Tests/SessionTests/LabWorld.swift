import PaviseLab
import PavisePrimitives
import PaviseTransport
import PaviseVault
import TestSupport

@testable import PaviseSession

/// The lab's authority, a real client that trusts its root, and a device with a store in memory.
struct LabWorld {
    let authority: LabAuthority
    let client: HTTPClient
    let memory = MemoryStore()
    /// The server's certificate, for a second server that the client trusts as well.
    let identity: ServerIdentity
    private let key = MemoryKey()
    private let folder: TemporaryFolder

    /// - Parameter clock: The clock that the authority sees.
    init(
        _ configuration: AuthorityConfiguration = AuthorityConfiguration(), clock: TimeSource = .system
    ) throws {
        let certificates = try CertificateAuthority()
        identity = try certificates.issue()
        authority = try LabAuthority.start(identity, configuration: configuration, clock: clock)
        client = try HTTPClient(policy: TrustPolicy(anchors: .only([certificates.anchor])))
        folder = try TemporaryFolder()
    }

    var store: SessionStore {
        SessionStore(vault: TokenVault(store: memory, key: key), name: Stage.name, folder: folder.path)
    }

    var record: SessionRecord? {
        get throws {
            guard case .present(let record) = try store.load() else { return nil }
            return record
        }
    }

    func request() throws -> HTTPRequest { HTTPRequest("GET", try WebURL(authority.address(.api) + "files")) }

    /// Signs `alice` in; `before` sees the callback address before the browser opens it, `after` the page that it
    /// showed.
    func signIn(
        through client: HTTPClient? = nil, binding: DPoPBinding? = nil, patience: Duration = .seconds(30),
        deadline: Duration = .seconds(30),
        change: (inout SignIn.Request) -> Void = { _ in },
        opened: @escaping @Sendable (String) -> Void = { _ in },
        before: @escaping @Sendable (String) throws -> Void = { _ in },
        after: @escaping @Sendable (String, LabBrowser.Page) -> Void = { _, _ in }
    ) async throws(SignInFailure) -> SignIn.Success {
        let authority = authority
        let person = AddressReader { (url) throws(BrowserFailure) in
            do {
                opened(url.description)
                let callback = try authority.approve(url.description)
                try before(callback)
                after(callback, try LabBrowser.open(callback))
            } catch {
                throw BrowserFailure("\(error)")
            }
        }
        var policy = RefreshPolicy()
        policy.deadline = deadline
        let signIn = SignIn(client: client ?? self.client, binding: binding, browser: person, policy: policy)
        return try await run(signIn, patience: patience, change: change)
    }

    /// A sign-in in which `alice` agrees, to be run more than once.
    func willingSignIn(through client: HTTPClient) -> SignIn {
        let authority = authority
        let person = AddressReader { (url) throws(BrowserFailure) in
            do { _ = try LabBrowser.open(try authority.approve(url.description)) } catch {
                throw BrowserFailure("\(error)")
            }
        }
        return SignIn(client: client, browser: person)
    }

    /// Runs a sign-in against the world's authority.
    func run(
        _ signIn: SignIn, patience: Duration = .seconds(30), change: (inout SignIn.Request) -> Void = { _ in }
    ) async throws(SignInFailure) -> SignIn.Success {
        let server = try await signIn.discover(issuer: authority.issuer)
        guard let resource = (try? WebURL(authority.issuer))?.origin else { throw .wrongMethod }
        var request = SignIn.Request(clientID: "pavise-lab", resource: resource)
        request.patience = patience
        change(&request)
        return try await signIn.run(at: server, request, into: store)
    }

    /// The status of a session's first request; 0 when there was no answer for it.
    func firstAnswer(of session: Session) async throws -> Int {
        let request = try request()
        do throws(SessionFailure) { return try await session.send(request).status } catch { return 0 }
    }
}
