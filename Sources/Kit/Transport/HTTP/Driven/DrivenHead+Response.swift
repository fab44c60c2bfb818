extension HTTPFields {
    /// The fields of a head as URLSession gives them: lines of one name are joined, so cookies are taken apart again.
    ///
    /// - Throws: ``TransportFailure/malformed(_:)`` for more than 200 fields, or one that no head may hold.
    init(_ head: DrivenHead) throws(TransportFailure) {
        self.init()
        for field in head.fields {
            let isCookie = field.name.lowercased() == "set-cookie"
            for value in isCookie ? Self.cookies(in: field.value) : [field.value] {
                guard fields.count < Self.lineLimit else {
                    throw .malformed("The answer has more than \(Self.lineLimit) fields.")
                }
                guard append(field.name, value) else { throw .malformed("A field holds a forbidden character.") }
            }
        }
    }

    /// The cookies of several `Set-Cookie` lines that were joined by commas. A comma begins a cookie where a name and
    /// an equals sign follow it: that of a date does not (RFC 6265 §3).
    static func cookies(in text: String) -> [String] {
        var found: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let start = part.drop { $0 == " " }
            let name = start.prefix { $0 != "=" && $0 != ";" }
            let begins = name.endIndex < start.endIndex && start[name.endIndex] == "=" && isToken(name.utf8)
            if begins || found.isEmpty {
                found.append(String(found.isEmpty ? part : start))
            } else {
                found[found.count - 1] += ",\(part)"
            }
        }
        return found
    }
}

extension ConnectionFacts {
    /// What a verdict and the metrics of a task say, as far as each is there.
    init(_ verdict: ServerVerdict?, _ measurement: DrivenMeasurement?) {
        self.init()
        leafSPKI = verdict?.leaf
        switch measurement?.protocolName {
        case "h2": httpVersion = "2"
        case "h3": httpVersion = "3"
        case "http/1.1": httpVersion = "1.1"
        default: httpVersion = nil
        }
        switch measurement?.tlsVersion {
        case 0x0303: tlsVersion = "TLSv1.2"
        case 0x0304: tlsVersion = "TLSv1.3"
        default: tlsVersion = nil
        }
        cipherSuite = measurement?.cipherSuite.flatMap { number in
            (ATSCipherSuite.forwardSecret + ATSCipherSuite.rsaKeyTransport).first { $0.number == number }?.libraryName
        }
    }
}

extension RequestMetrics {
    init(_ found: DrivenMeasurement) {
        self.init(
            nameLookup: found.nameLookup, connect: found.connect, tls: found.tls, firstByte: found.firstByte,
            total: found.total, reusedConnection: found.isReused, bytesSent: found.sent, bytesReceived: found.received)
    }
}
