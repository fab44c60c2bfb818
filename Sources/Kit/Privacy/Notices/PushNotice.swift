internal import PavisePrimitives
internal import SecurityFramework

/// Reads what a server sealed for a push notice, and decides what is shown instead of the text that came with it.
///
/// ```swift
/// let reader = PushNotice.Reader(key: key, keys: ["notice.messages"]) { key in texts[key] ?? "" }
/// let words = reader.shown(for: packet, at: now)
/// ```
///
/// The payload that the server gives to Apple's service says nothing, since that service, the system's database and a
/// failing extension all keep or show it as it is:
///
/// ```json
/// {"aps": {"alert": {"loc-key": "notice.neutral.body"}, "mutable-content": 1}, "pavise": "eyJhbGciOiJkaXIi…"}
/// ```
///
/// `pavise` is a JSON Web Encryption in compact form with the header `{"alg":"dir","enc":"A256GCM"}` under
/// ``PushKey`` (RFC 7516, RFC 7518 §4.5, §5.3). Inside is an object: `key`, one of the app's own list; `issued`, in
/// seconds since 1970; and, as far as the text has places for them, `parameters` (`{"count": 3}`, `{"time": "07:05"}`,
/// `{"minutes": 90}`) and `route`. There is no member for text.
public enum PushNotice {
    /// The member of the payload that holds the packet.
    public static let member = "pavise"
    /// The most bytes of a packet that are read: a payload has 4096.
    public static let packetLimit = 4096
    /// The key of the app's words for whatever could not be opened: `notice.neutral.title` and `notice.neutral.body`.
    public static let neutralKey = "notice.neutral"
    /// How old a packet may be, in seconds: Apple's service keeps one for at most 30 days.
    public static let longestAge = 30 * 86_400

    /// Why a packet was not opened.
    public enum Failure: Error, Hashable, Sendable {
        /// There is no packet, or no key for one.
        case absent
        /// It is no packet of this form, or longer than ``PushNotice/packetLimit``.
        case malformed
        /// It was not sealed under this key, or was changed.
        case sealed
        /// Its content is none that this reader knows: no key of the app's list, a parameter of another kind, a text,
        /// or parameters that are no list.
        case content
        /// It is older than ``PushNotice/longestAge``, or of the future.
        case stale
    }

    /// What is shown.
    public struct Shown: Hashable, Sendable {
        /// The title, in the app's own words.
        public let title: String
        /// The body, in the app's own words.
        public let body: String
        /// What it leads to; `nil` for the app's first page.
        public let route: NoticeRoute?
    }

    /// Opens packets for one app.
    public struct Reader: Sendable {
        private let key: PushKey?
        private let keys: [String]
        private let texts: @Sendable (String) -> String

        /// - Parameters:
        ///   - key: ``PushKey/find(in:)``; without one every notice is neutral.
        ///   - keys: Of all texts those that a server may name. Literals.
        ///   - texts: The app's own words for a key, in the person's language.
        public init(key: PushKey?, keys: [StaticString], texts: @escaping @Sendable (_ key: String) -> String) {
            self.key = key
            self.keys = keys.map(\.description)
            self.texts = texts
        }

        /// What is shown for a payload: the notice that was sealed, or the app's neutral words. The text that came
        /// with it is never among them.
        ///
        /// - Parameters:
        ///   - packet: The member ``PushNotice/member``; `nil` where it is none or no text.
        ///   - now: Seconds since 1970.
        public func shown(for packet: String?, at now: Int) -> Shown {
            guard let notice = try? notice(in: packet, at: now) else {
                return Shown(
                    title: texts(PushNotice.neutralKey + ".title"), body: texts(PushNotice.neutralKey + ".body"),
                    route: nil)
            }
            let words = notice.words(texts)
            return Shown(title: words.title, body: words.body, route: NoticeRoute(notice.route))
        }

        /// Opens a packet.
        public func notice(in packet: String?, at now: Int) throws(Failure) -> Notice {
            guard let packet, let key else { throw .absent }
            var plain = try PushNotice.open(packet, key.bytes.bytes)
            defer { Wipe.bytes(&plain) }
            guard let content = try? JSONValue.parse(plain, limit: PushNotice.packetLimit, depth: 4),
                let name = content["key"]?.string, keys.contains(name), let seconds = content["issued"]?.integer
            else { throw .content }
            let issued = Int(seconds)
            // A clock may be a few minutes off.
            guard issued <= now + 600, now - PushNotice.longestAge <= issued else { throw .stale }
            var parameters: [NoticeParameter] = []
            let list = content["parameters"] ?? .array([])
            guard let values = list.array else { throw .content }
            for value in values {
                guard let parameter = PushNotice.parameter(value) else { throw .content }
                parameters.append(parameter)
            }
            var route: NoticeRoute?
            if let text = content["route"] {
                guard let known = text.string.flatMap({ NoticeRoute($0) }) else { throw .content }
                route = known
            }
            return Notice(opened: name, parameters, route)
        }
    }

    static let header = #"{"alg":"dir","enc":"A256GCM"}"#

    private static func open(_ packet: String, _ key: borrowing SecretBytes) throws(Failure) -> [UInt8] {
        guard packet.utf8.count <= packetLimit else { throw .malformed }
        let parts = packet.split(separator: ".", omittingEmptySubsequences: false)
        // Direct encryption has no encrypted key (RFC 7518 §4.5); A256GCM has 96 bits of nonce, 128 of tag (§5.3).
        guard parts.count == 5, parts[1].isEmpty, isOurs(parts[0]),
            let nonce = Base64URL.decode(parts[2]), nonce.count == 12, let text = Base64URL.decode(parts[3]),
            let tag = Base64URL.decode(parts[4]), tag.count == 16
        else { throw .malformed }
        guard let plain = BoxBridge.open(nonce + text + tag, key: key, label: Array(parts[0].utf8)) else {
            throw .sealed
        }
        return plain.withBytes { Array($0) }
    }

    // A library may order the header's members otherwise, and add none.
    private static func isOurs(_ header: Substring) -> Bool {
        guard let bytes = Base64URL.decode(header), let value = try? JSONValue.parse(bytes, limit: 128, depth: 2),
            case .object(let members) = value, members.count == 2
        else { return false }
        return value["alg"]?.string == "dir" && value["enc"]?.string == "A256GCM"
    }

    private static func parameter(_ value: JSONValue) -> NoticeParameter? {
        guard case .object(let members) = value, members.count == 1 else { return nil }
        if let count = value["count"]?.integer { return .count(NoticeCount(Int(count))) }
        if let minutes = value["minutes"]?.integer { return .duration(.seconds(60 * max(0, min(minutes, 1440)))) }
        // Int reads a sign, too.
        guard let text = value["time"]?.string, text.utf8.count == 5, text.dropFirst(2).first == ":",
            text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x3A }), let hour = Int(text.prefix(2)),
            let minute = Int(text.suffix(2)),
            let time = TimeOfDay(hour: hour, minute: minute)
        else { return nil }
        return .time(time)
    }

    /// Seals a content as a server does, for tests.
    package static func packet(_ content: String, key: PushKey) -> String? {
        let head = Base64URL.encode(Array(header.utf8))
        let box = Array(content.utf8).withSpan { BoxBridge.seal($0, key: key.bytes.bytes, label: Array(head.utf8)) }
        guard let box else { return nil }
        let parts = [box.prefix(12), box.dropFirst(12).dropLast(16), box.suffix(16)].map { Base64URL.encode($0) }
        return "\(head)..\(parts.joined(separator: "."))"
    }
}
