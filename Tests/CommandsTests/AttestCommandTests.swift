#if os(Linux)
import PaviseCommands
import PaviseDevice
import PaviseLab
import PavisePrimitives
import PaviseSession
import PaviseTransport
import TestSupport
import Testing

/// `pavise device attest` and sign-ins that demand it, with a TPM (swtpm) and the lab's authority (IN14).
@Suite(.enabled(if: SoftwareTPMMaker.isInstalled, "swtpm-tools is not installed"))
struct AttestCommandTests {
    let maker: SoftwareTPMMaker
    let tpm: SoftwareTPM

    init() throws {
        maker = try SoftwareTPMMaker()
        tpm = try SoftwareTPM(by: maker)
    }

    private func stage(
        tpm: SoftwareTPM?, makers: [[UInt8]]? = nil, _ change: (inout AuthorityConfiguration) -> Void = { _ in }
    ) throws -> LabStage {
        var configuration = AuthorityConfiguration()
        configuration.demandsAttestation = true
        configuration.deviceMakers = try makers ?? [maker.root(), maker.intermediate()]
        change(&configuration)
        let address = tpm.flatMap { TPMAddress($0.address) }
        return try LabStage(
            configuration,
            findTPM: { () throws(TPMFailure) in address.map { TPMAddress.Search.address($0) } ?? TPMAddress.Search.none
            })
    }

    private func attest(_ stage: LabStage, _ more: String...) async -> LabStage.Result {
        await stage.run(
            ["device", "attest", stage.authority.issuer, "--approve-certificate", stage.identity.pin, "--json"] + more)
    }

    @Test(arguments: [false, true])
    func `IN14: a device is enrolled, and then signs in where that is demanded`(isPushed: Bool) async throws {
        let stage = try stage(tpm: tpm) {
            $0.demandsPushedRequests = isPushed
            $0.offersProof = true
        }
        let early = await stage.connect("--dpop", "never")
        #expect(early.status == .refused && early.messages.contains("pavise device attest"), "\(early.messages)")
        #expect(stage.authority.counters.quotes == 0 && stage.authority.counters.enrolments == 0)
        let enrolled = await attest(stage)
        #expect(enrolled.status == .done, "\(enrolled.output)\(enrolled.messages)")
        #expect(enrolled.json?["enrolled"]?.bool == true && enrolled.json?["attested"]?.bool == true)
        #expect(enrolled.json?["registers"]?["7"]?.string?.utf8.count == 64)
        #expect(enrolled.json?["eventLog"]?.string?.hasPrefix("none") == true)
        let connected = await stage.connect("--dpop", "never")
        #expect(connected.status == .done, "\(connected.messages)")
        #expect(await stage.run("fetch", "/api/me").status == .done)
        let counters = stage.authority.counters
        #expect(counters.attestedRequests == (isPushed ? 2 : 1) && counters.refusedAttestations == 0)
        let again = await attest(stage)
        #expect(again.status == .done && again.json?["enrolled"]?.bool == false)
        #expect(again.json?["device"] == enrolled.json?["device"] && stage.authority.counters.enrolments == 1)
        let fresh = await attest(stage, "--enrol")
        #expect(fresh.json?["device"] == enrolled.json?["device"] && stage.authority.counters.enrolments == 2)
    }

    @Test func `IN14: a page for a person says what it is worth`() async throws {
        let stage = try stage(tpm: tpm)
        let result = await stage.run(
            "device", "attest", stage.authority.issuer, "--approve-certificate", stage.identity.pin)
        #expect(result.status == .done && result.output.contains("Enrolled:"), "\(result.messages)")
        #expect(result.output.contains("not that the running system is untouched"))
    }

    @Test(.enabled(if: SoftwareTPM.hasTools, "tpm2-tools is not installed"))
    func `IN14: a machine whose firmware changed signs in no more`() async throws {
        let stage = try stage(tpm: tpm)
        #expect(await attest(stage).status == .done)
        let digest = String(repeating: "cd", count: 32)
        #expect(try tpm.run("tpm2_pcrextend", ["7:sha256=\(digest)"]).status == 0)
        #expect(await stage.connect().status == .refused)
        let refused = await attest(stage)
        #expect(refused.status == .refused && refused.json?["error"]?["rule"]?.string == "attestation")
        #expect(refused.json?["error"]?["message"]?.string?.contains("Register 7") == true, "\(refused.output)")
        #expect(stage.authority.counters.attestedRequests == 0)
    }

    @Test func `IN14: a TPM of a maker that the authority does not know, or without a certificate, is refused`()
        async throws
    {
        let stranger = try SoftwareTPMMaker()
        let other = try SoftwareTPM(by: stranger)
        let bare = try SoftwareTPM()
        for tpm in [other, bare] {
            let stage = try stage(tpm: tpm)
            let refused = await attest(stage)
            #expect(refused.status == .refused, "\(refused.output)")
            #expect(stage.authority.counters.refusedAttestations == 1 && stage.authority.counters.enrolments == 0)
            #expect(!DurableFile.exists(stage.folder.path + "/home/attestation"))
        }
    }

    @Test func `IN14: without a TPM, an authority that judges devices, or https, nothing is sent`() async throws {
        let without = try stage(tpm: nil)
        let missing = await attest(without)
        #expect(missing.status == .failed && missing.json?["error"]?["message"]?.string?.contains("no TPM") == true)
        #expect(without.authority.server.counters.requests == 0)
        let plain = try stage(tpm: tpm, makers: [])
        let none = await attest(plain)
        #expect(none.status == .failed, "\(none.output)")
        #expect(await plain.run("device", "attest", "http://127.0.0.1").status == .refused)
        #expect(await plain.run("device", "attest", "nowhere").status == .usage)
        let unapproved = try stage(tpm: tpm)
        let result = await unapproved.run("device", "attest", unapproved.authority.issuer, "--json")
        #expect(result.status == .refused && unapproved.authority.counters.enrolments == 0)
    }

    @Test func `IN14: a record that somebody changed is said, and not guessed around`() async throws {
        let stage = try stage(tpm: tpm)
        #expect(await attest(stage).status == .done)
        let folder = stage.folder.path + "/home/attestation/"
        let name = try #require(try Folder.names(in: folder).first)
        try DurableFile.write(Array("{}".utf8).span, to: folder + name)
        let damaged = await attest(stage)
        #expect(damaged.status == .failed && damaged.json?["error"]?["message"]?.string?.contains("damaged") == true)
        #expect(await stage.connect().status == .refused)
        #expect(await attest(stage, "--enrol").status == .done)
        #expect(await stage.connect().status == .done)
    }
}
#endif
