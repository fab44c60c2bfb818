internal import CPeers
internal import Foundation

/// URL PROBE ANCHORS IN-FLIGHT SECONDS HTTP-VERSION: requests per second of a raw libcurl multi loop in C.
func rawCurl(_ arguments: [String]) throws -> [(String, String)] {
    guard arguments.count == 6, let inFlight = Int32(arguments[3]), let seconds = Double(arguments[4]) else { usage() }
    var result = peer_http_result()
    let code = unsafe peer_curl_get(
        arguments[0], arguments[1], arguments[2], inFlight, seconds, arguments[5] == "2" ? 1 : 0, &result)
    guard code == 0 else { throw MeasureFailure(description: "libcurl: \(code)") }
    let version = unsafe withUnsafeBytes(of: result.protocol) { text in
        unsafe String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
    return httpFigures(
        requests: result.requests, failures: result.failures, seconds: result.seconds, version: version)
}

func httpFigures(requests: Int, failures: Int, seconds: Double, version: String) -> [(String, String)] {
    [
        ("perSecond", "\(Double(requests) / seconds)"), ("requests", "\(requests)"), ("failures", "\(failures)"),
        ("protocol", "\"\(version)\""),
    ]
}
