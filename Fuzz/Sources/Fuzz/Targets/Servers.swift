internal import Foundation
import PaviseManaged
internal import PaviseTransport

extension FuzzTarget {
    /// What an administrator writes about servers, and what a keeper wrote about them.
    static let servers = [managedConfiguration, serverTrustRecord]

    private static let managedConfiguration = FuzzTarget(
        text: "managed-configuration",
        seeds: [
            "{}", "{\"allowedServers\":[\"a.example\",\"*.b.example:8443\"],\"plainHTTP\":\"warn\"}",
            "{\"denied\":{\"issuers\":[\"CN=a\"],\"keys\":[]},\"renewal\":\"sameKey\",\"userApproval\":\"allowed\"}",
            "{\"preApproved\":[{\"host\":\"a.example\",\"failures\":[\"expired\"],\"expires\":1,\"certificate\":\""
                + String(repeating: "0f", count: 32) + "\"}]}",
            "{\"requiredPins\":[{\"hosts\":[\"a.example\"],\"backup\":\"notRequired\",\"leafCertificates\":[\""
                + String(repeating: "0f", count: 32) + "\"]}],\"transparency\":[\"a.example\"]}",
        ]
    ) { text in
        guard let read = try? ManagedConfiguration(json: Array(text.utf8)) else { return }
        require(
            read.trust.preApproved.allSatisfy { $0.key != nil || $0.certificate != nil }, "an approval without a key")
        require(
            !read.trust.preApproved.contains { $0.failures.contains(where: \.isHard) }, "what nobody may is approved")
        require(read.trust.requiredPins.allSatisfy { $0.enforcement == .enforced }, "a pin only reports")
    }

    private static let serverTrustRecord = FuzzTarget(
        "server-trust-record",
        seeds: {
            [try ServerTrustRecord().encoded(), Array("{\"approvals\":[],\"entries\":[],\"version\":1}".utf8)]
        },
        run: { bytes in
            guard let record = try? ServerTrustRecord(decoding: bytes) else { return }
            require((try? ServerTrustRecord(decoding: record.encoded())) == record, "a record has two readings")
        })
}
