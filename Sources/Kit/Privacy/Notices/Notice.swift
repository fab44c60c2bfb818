public import PavisePrimitives

/// A notification to a person: a kind of the app's own, whose parameters cannot say anything about her.
///
/// ```swift
/// enum DiaryNotice: NoticeKind {
///     case reminder(TimeOfDay)
///     case newMessages(NoticeCount)
///     var notice: Notice {
///         switch self {
///         case .reminder(let time): Notice("notice.reminder", .time(time))
///         case .newMessages(let count): Notice("notice.messages", .count(count))
///         }
///     }
/// }
/// ```
public protocol NoticeKind: Hashable, Sendable {
    /// What is shown.
    var notice: Notice { get }
}

/// What a notification can show beside the words of the app: how many, when, how long. No text, and no bytes.
public struct NoticeParameter: Hashable, Sendable {
    /// The parameter as the placeholder `%@` shows it.
    public let text: String

    /// How many.
    public static func count(_ count: NoticeCount) -> NoticeParameter { NoticeParameter(text: String(count.value)) }
    /// When in a day.
    public static func time(_ time: TimeOfDay) -> NoticeParameter { NoticeParameter(text: time.text) }
    /// How long, in whole minutes: a day at most.
    public static func duration(_ duration: Duration) -> NoticeParameter {
        NoticeParameter(text: "\(max(0, min(duration.components.seconds / 60, 1440))) min")
    }

    private init(text: String) { self.text = text }
}

/// How many: 0 to 999.
public struct NoticeCount: Hashable, Sendable {
    /// The number.
    public let value: Int
    /// The number, cut to 0 to 999: a large one could be a code.
    public init(_ value: Int) { self.value = max(0, min(value, 999)) }
}

/// A time of the day in minutes.
public struct TimeOfDay: Hashable, Sendable {
    /// 0 to 23.
    public let hour: Int
    /// 0 to 59.
    public let minute: Int

    /// - Returns: `nil` for what is no time of a day.
    public init?(hour: Int, minute: Int) {
        guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
        self.hour = hour
        self.minute = minute
    }

    /// For example `07:05`.
    public var text: String { "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)" }
}

/// What a notification shows: a key of the app's table of texts, and parameters that hold no text.
public struct Notice: Hashable, Sendable {
    /// The key in the table of texts: `KEY.title` and `KEY.body`. A literal.
    public let key: String
    /// What takes the places of `%@` in the body.
    public let parameters: [NoticeParameter]
    /// Names what the notification leads to, for the app alone: 32 hexadecimal digits, random, resolved after an
    /// unlock.
    public let route: String

    /// A notice of the app's texts.
    ///
    /// - Parameters:
    ///   - key: A literal, for example `notice.reminder`.
    ///   - parameters: See ``NoticeParameter``.
    ///   - route: A value of ``NoticeRoute/random()``; without one it leads to the app's first page.
    public init(_ key: StaticString, _ parameters: NoticeParameter..., route: NoticeRoute? = nil) {
        self.key = key.description
        self.parameters = parameters
        self.route = route?.text ?? ""
    }

    /// A notice that a server sealed; `key` is one of the app's list.
    init(opened key: String, _ parameters: [NoticeParameter], _ route: NoticeRoute?) {
        self.key = key
        self.parameters = parameters
        self.route = route?.text ?? ""
    }
}

/// A random name for what a notification leads to.
public struct NoticeRoute: Hashable, Sendable {
    /// 32 hexadecimal digits.
    public let text: String

    /// A fresh name. Keep what it stands for in protected storage.
    public static func random() throws(EntropyFailure) -> NoticeRoute {
        NoticeRoute(text: Hex.encode(try Entropy.kernel.bytes(16)))
    }

    /// A name that came back with a notification.
    ///
    /// - Returns: `nil` for anything that is none.
    public init?(_ text: String) {
        guard text.utf8.count == 32, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.text = text
    }

    private init(text: String) { self.text = text }
}
