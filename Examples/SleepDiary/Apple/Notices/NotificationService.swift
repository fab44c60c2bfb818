import DiaryCore
import Pavise
import PavisePrivacy

/// The service extension: the system runs it for each push, and it writes the app's own words in the place of what
/// came. It has the key and nothing else of the app: not its files, not its session. The app's own choice of a language
/// is not for it; it takes the system's.
final class NotificationService: NoticeService {
    override func makeReader() -> PushNotice.Reader { DiaryPush.reader(in: .current) }
}
