internal import PaviseTransport

/// Nanoseconds of one ATS decision, the trace of reasons included: a name three labels below an entry among 200, a name
/// without one, and an address among 50 ranges.
func atsDecision() throws -> [(String, String)] {
    var configuration = ATSConfiguration(arbitraryLoads: true)
    var exceptions: [String: ATSException] = ["example.org": ATSException(includesSubdomains: true)]
    for number in 0..<200 { exceptions["host-\(number).example"] = ATSException(allowsInsecureHTTPLoads: true) }
    for number in 0..<50 { exceptions["10.\(number).0.0/16"] = ATSException() }
    configuration.exceptions = exceptions
    let cases = [
        ("deepName", try WebURL("https://a.b.c.example.org/")),
        ("unlistedName", try WebURL("http://www.elsewhere.test/")),
        ("address", try WebURL("http://10.49.1.2/")),
    ]
    return cases.map { name, url in
        let rounds = (0..<9).map { _ -> Double in
            var allowed = 0
            let time = microseconds(100_000) {
                if ATSDecision(url.origin, isDirect: false, configuration: configuration).isAllowed { allowed += 1 }
            }
            return allowed % 100_000 == 0 ? time * 1_000 : .nan
        }
        return ("\(name)Nanoseconds", "\(median(rounds))")
    }
}
