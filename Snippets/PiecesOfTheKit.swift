// Parts of the kit by themselves, each as the documentation of its type shows it.
import PaviseDocuments
import PaviseIntegrity
import PaviseLog
import PavisePrimitives
import PavisePrivacy
import PaviseSession
import PaviseTransport
import PaviseValidation
import PaviseVault

/// Notices of an app as its own type: nothing else can be shown.
enum DiaryNotice: NoticeKind {
    case reminder(TimeOfDay)
    case newMessages(NoticeCount)
    var notice: Notice {
        switch self {
        case .reminder(let time): Notice("notice.reminder", .time(time))
        case .newMessages(let count): Notice("notice.messages", .count(count))
        }
    }
}

/// A push token over its life.
func pushToken(_ bytes: [UInt8]) {
    var machine = PushTokenMachine()
    print(machine.handle(.personAsked(UserAction())))  // [.askPermission]
    print(machine.handle(.allowed))  // [.register]
    print(machine.handle(.token(bytes)))  // [.send(bytes)]
    print(machine.handle(.sent))  // []
    print(machine.handle(.signOut))  // [.removeNotices, .deleteAtServer(bytes)]
}

/// The same, kept and carried out: what the app does stands in `services`.
func push(_ services: any PushServices) async throws {
    let push = PushRegistration(services)
    try await push.handle(.started)  // at each start: goes on where it stood
    try await push.handle(.becameActive)  // whenever the app comes to the front
    try await push.handle(.personAsked(UserAction()))  // in the handler of a button
    try await push.handle(.signOut)
}

/// The cover of the screen.
func cover() {
    var machine = ScreenMachine()
    print(machine.handle(.willResignActive))  // [.cover]
    print(machine.handle(.didEnterBackground))  // []: it is covered already
    print(machine.handle(.willEnterForeground))  // []
    print(machine.handle(.becameActive))  // [.uncover]
}

/// A document of anybody.
func show(_ bytes: [UInt8], view: (DocumentPage) -> Void, row: (Int, String?, String) -> Void) throws {
    let page = try DocumentPage(bytes, named: "letter.docx")
    view(page)  // or: write page.html() to a file
    print(page.omissions.sentence)  // Left out: 1 macro, 2 pictures and files on servers.
    for link in page.links { row(link.number, link.host, link.address) }
}

/// Whether secrets may be opened on this device.
func clear(showReason: ([String]) -> Void) {
    let verdict = IntegrityPolicy.release.verdict(on: DeviceIntegrity.check())
    guard let clearance = verdict.clearance else { return print(verdict.reasons) }
    _ = clearance
}

/// A log that a person can hand on.
func support(_ folder: String, share: (SupportLog.Exported) -> Void) throws {
    let support = try SupportLog(folder: folder)
    let output = LogOutput(sinks: [SystemLog(), support])
    Log(subsystem: "org.example.diary", category: "sync", output: output).error("upload failed")
    share(try support.export())  // after the person has said yes
}

/// Forms of secrets and addresses in a text of somebody else's.
func mask() {
    print(Masker().masked("GET /cb?code=4/P7q7W91 by jane@example.org"))  // GET /cb?code=«query» by «email»
}

/// Names as patterns, and a proxy.
func patterns() -> [ServerPattern?] {
    [
        ServerPattern("cloud.example.org"),  // that host on port 443
        ServerPattern("*.example.org:8443"),  // a.example.org and b.example.org, not example.org nor a.b.example.org
    ]
}

/// The pins of the app and those of its Info.plist.
func comparePins(_ bytes: [UInt8], _ policy: TrustPolicy, _ pins: [PinSet]) throws {
    let domains = try PinnedDomains(infoPlist: bytes)
    for finding in domains.disagreements(with: policy.pins) { print(finding) }
    let agree = try InfoPropertyList.pinDisagreements(with: pins).isEmpty
    assert(agree)
}

/// An answer of a server as values with bounds.
func parse(_ body: [UInt8]) throws {
    let answer = try AnswerReader(body)
    let name = try answer.text("name", 1...256)
    let size = try answer.integer("size", 0...1 << 40)
    for file in try answer.objects("files", atMost: 1000) { print(name, size, try file.text("id", 1...64)) }
}

/// A refresh token, sealed with an enclave key.
func keep(_ token: borrowing SecretBytes, _ id: String, _ name: ItemName, container: String) throws {
    let vault = TokenVault(store: KeychainStore(), key: EnclaveKey(tag: "org.pavise.key.\(id)"))
    try vault.prepare()
    try token.withBytes { bytes throws(VaultFailure) in try vault.store(bytes, as: name) }
}

/// The same, worth nothing without this installation's folder.
func bind(_ key: EnclaveKey, container: String) -> TokenVault {
    let half = InstallationBinding(folder: container)
    let vault = TokenVault(store: KeychainStore(), key: key).bound(to: half)
    return vault
}

/// Bytes that are wiped.
func secret(_ data: [UInt8], use: (borrowing Span<UInt8>) -> Void) throws {
    let key = try SecretBytes.random(count: 32)
    key.withBytes { bytes in use(bytes) }
}
