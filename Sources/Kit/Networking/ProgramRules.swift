internal import Foundation
internal import FoundationNetworking
internal import PaviseTransport
internal import PaviseURLSession

/// The client of the rules in the program's own Info.plist, made once.
enum ProgramRules {
    private static let client = Result { try make(InfoPropertyList.ofThisProgram()) }
    static let session = URLSession(configuration: configuration())

    static func configuration() -> URLSessionConfiguration {
        switch client {
        case .success(let client): return .pavise(client)
        case .failure: return .refusing
        }
    }

    /// The client for an Info.plist; as strict as App Transport Security is by default without one.
    static func make(_ infoPlist: [UInt8]?) throws -> HTTPClient {
        guard let bytes = infoPlist else { return try HTTPClient(policy: TrustPolicy(), configuration: .strict) }
        return try HTTPClient(
            policy: TrustPolicy(pinnedDomains: try PinnedDomains(infoPlist: bytes)),
            configuration: try ATSConfiguration(infoPlist: bytes))
    }
}
