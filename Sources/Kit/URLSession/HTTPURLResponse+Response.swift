internal import Foundation
internal import PaviseTransport

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension HTTPURLResponse {
    /// The head of an answer in Foundation's type. Lines with the same name are joined by a comma, as Foundation does.
    ///
    /// - Parameter hidingChallenge: Renames the `WWW-Authenticate` field of a 401. Foundation on Linux answers a
    ///   challenge it knows by itself and sends the request again with its own loader, around every check of ours.
    convenience init?(_ answer: HTTPResponse, of url: WebURL, hidingChallenge: Bool) {
        guard let place = URL(string: url.description) else { return nil }
        var fields: [String: String] = [:]
        var names: [String: String] = [:]
        for field in answer.fields.fields {
            let known = field.name.lowercased()
            let isHidden = hidingChallenge && answer.status == 401 && known == "www-authenticate"
            let name = names[known] ?? (isHidden ? "X-Pavise-WWW-Authenticate" : field.name)
            names[known] = name
            fields[name] = fields[name].map { "\($0), \(field.value)" } ?? field.value
        }
        let version = answer.connection.httpVersion.map { "HTTP/\($0)" }
        self.init(url: place, statusCode: answer.status, httpVersion: version, headerFields: fields)
    }
}
