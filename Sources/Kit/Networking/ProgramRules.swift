internal import Foundation
internal import FoundationNetworking
internal import PaviseTransport
internal import PaviseURLSession
internal import Synchronization

/// The client of the rules in the program's own Info.plist, made once. What failed because of the moment, such as too
/// many open files, is tried again by the next session.
enum ProgramRules {
    private static let made = Mutex<HTTPClient?>(nil)
    private static let kept = Mutex<URLSession?>(nil)

    /// `nil` where the rules cannot be read, or no client can be made now.
    private static var client: HTTPClient? {
        made.withLock { made in
            if let made { return made }
            made = try? make(InfoPropertyList.ofThisProgram())
            return made
        }
    }

    static var session: URLSession {
        kept.withLock { kept in
            if let kept { return kept }
            guard let client else { return URLSession(configuration: .refusing) }
            let session = URLSession(configuration: .pavise(client))
            kept = session
            return session
        }
    }

    static func configuration() -> URLSessionConfiguration {
        guard let client else { return .refusing }
        return .pavise(client)
    }

    /// The client for an Info.plist; as strict as App Transport Security is by default without one.
    static func make(_ infoPlist: [UInt8]?) throws -> HTTPClient {
        guard let bytes = infoPlist else { return try HTTPClient(policy: TrustPolicy(), configuration: .strict) }
        return try HTTPClient(
            policy: TrustPolicy(pinnedDomains: try PinnedDomains(infoPlist: bytes)),
            configuration: try ATSConfiguration(infoPlist: bytes))
    }
}
