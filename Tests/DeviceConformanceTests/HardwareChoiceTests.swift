import Foundation
import PaviseDevice
import PavisePrimitives
import TestSupport
import Testing

private let noRights = ElementAvailability.notPermitted(device: "/dev/tpmrm0", group: "tss")
private let demanded = #"{ "device": { "hardware": "required" } }"#

/// NU-B4: a home goes without hardware only when there is none, or when somebody who may decides it.
@Suite struct HardwareChoiceTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func environment(
        _ availability: ElementAvailability, _ demand: ElementDemand = .preferHardware, managed json: String? = nil
    ) throws -> DeviceEnvironment {
        // Software that says it is hardware: which one is chosen is what counts here.
        let hardware = ElementFactory(
            kind: .tpm, availability: { availability },
            open: { folder, mayCreate throws(DeviceFailure) in try SoftwareElement.open(folder, mayCreate: mayCreate) })
        var environment = DeviceEnvironment(
            elements: ElementChoice([hardware, .software]), places: [ProcessKeys()])
        environment.elements.demand = demand
        environment.managed = ManagedHardware(system: nil, named: nil)
        guard let json else { return environment }
        try DurableFile.write(Array(json.utf8).span, to: folder.path + "/managed.json")
        environment.managed = ManagedHardware(system: folder.path + "/managed.json", named: nil)
        return environment
    }

    private func home() -> PaviseHome { PaviseHome(path: folder.path + "/home-\(UUID().uuidString)") }

    @Test(
        "NU-B4: which element a new home gets",
        arguments: [
            (.usable, .preferHardware, nil, .tpm), (.usable, .hardware, nil, .tpm),
            (.usable, .software, nil, .software),
            (.usable, .software, demanded, .tpm), (.absent, .preferHardware, nil, .software),
            (.absent, .software, nil, .software), (noRights, .software, nil, .software),
            (.absent, .preferHardware, #"{ "device": { "hardware": "preferred" } }"#, .software),
            (.absent, .preferHardware, #"{ "plainHTTP": "warn" }"#, .software),
        ] as [(ElementAvailability, ElementDemand, String?, ElementKind)])
    func chosen(_ here: ElementAvailability, _ demand: ElementDemand, _ json: String?, _ kind: ElementKind) throws {
        let device = try Device.open(home(), environment(here, demand, managed: json))
        #expect(try device.report().element == kind)
    }

    @Test(
        "NU-B4: a device is not made, and nothing is left, where hardware may not be used or is demanded and missing",
        arguments: [
            (noRights, .preferHardware, nil, .hardwareNotPermitted(device: "/dev/tpmrm0", group: "tss")),
            (noRights, .hardware, nil, .hardwareNotPermitted(device: "/dev/tpmrm0", group: "tss")),
            (.absent, .hardware, nil, .hardwareRequired), (.absent, .preferHardware, demanded, .hardwareRequired),
            (.absent, .software, demanded, .hardwareRequired),
            (noRights, .software, demanded, .hardwareNotPermitted(device: "/dev/tpmrm0", group: "tss")),
        ] as [(ElementAvailability, ElementDemand, String?, DeviceFailure)])
    func refused(_ here: ElementAvailability, _ demand: ElementDemand, _ json: String?, _ failure: DeviceFailure) throws
    {
        let home = home()
        #expect(throws: failure) { try Device.open(home, environment(here, demand, managed: json)) }
        #expect(!DurableFile.exists(home.path))
    }

    @Test("NU-B4: the refusal names the group to join, and the option")
    func words() {
        let words = DeviceFailure.hardwareNotPermitted(device: "/dev/tpmrm0", group: "tss").explanation
        #expect(words.contains("sudo usermod -aG tss") && words.contains("--software"))
    }

    @Test("NU-B4: a home without hardware does not open any more when an administrator demands it")
    func laterDemand() throws {
        let home = home()
        _ = try Device.open(home, environment(.absent))
        #expect(throws: DeviceFailure.hardwareRequired) {
            try Device.open(home, environment(.usable, managed: demanded))
        }
        #expect(throws: Never.self) { try Device.open(home, environment(.usable, .software)) }
    }

    @Test(
        "NU-B4: an administrator's file that cannot be used makes no device, and opens none",
        arguments: [
            "{", "[]", #"{ "device": 1 }"#, #"{ "device": { "hardware": "must" } }"#,
            #"{ "device": { "hardware": 1 } }"#,
        ])
    func unusable(_ json: String) throws {
        let home = home()
        _ = try Device.open(home, environment(.absent))
        let environment = try environment(.absent, managed: json)
        for place in [home, self.home()] {
            let failure = try #require(throws: DeviceFailure.self) { try Device.open(place, environment) }
            #expect(failure.explanation.contains("managed.json"))
        }
    }

    @Test("NU-B4: a file that everybody may change, or that a variable names in vain, decides nothing and stops")
    func untrusted() throws {
        var environment = try environment(.absent, managed: "{}")
        #expect(unsafe chmod(folder.path + "/managed.json", 0o666) == 0)
        #expect(throws: DeviceFailure.self) { try Device.open(home(), environment) }
        environment.managed = ManagedHardware(system: folder.path + "/none", named: folder.path + "/missing")
        #expect(throws: DeviceFailure.self) { try Device.open(home(), environment) }
        environment.managed = ManagedHardware(system: folder.path + "/none", named: nil)
        #expect(throws: Never.self) { try Device.open(home(), environment) }
    }

    @Test("NU-B4: where others may change a folder on the way to the system's file, nobody knows what is demanded")
    func untrustedWay() throws {
        let (outer, inner) = (folder.path + "/etc", folder.path + "/etc/pavise")
        try DurableFile.makeDirectory(inner)
        try DurableFile.write(Array("{}".utf8).span, to: inner + "/managed.json")
        var environment = try environment(.absent)
        environment.managed = ManagedHardware(system: inner + "/managed.json", named: nil, administrator: getuid())
        #expect(unsafe chmod(outer, 0o777) == 0)
        #expect(throws: DeviceFailure.self) { try Device.open(home(), environment) }
        #expect(unsafe chmod(outer, 0o755) == 0)
        #expect(throws: Never.self) { try Device.open(home(), environment) }
        #expect(unsafe chmod(inner + "/managed.json", 0o664) == 0)
        #expect(throws: DeviceFailure.self) { try Device.open(home(), environment) }
    }

    @Test("NU-B4: PAVISE_TPM=none is no TPM, a device without rights is one, and a wrong address is a failure")
    func search() throws {
        let machine = folder.path + "/tpmrm0"
        #expect(try TPMAddress.find(named: nil, machine: machine) == .none)
        #expect(try TPMAddress.find(named: "none", machine: machine) == .none)
        try DurableFile.write(noBytes.span, to: machine)
        #expect(try TPMAddress.find(named: nil, machine: machine).availability == .usable)
        #expect(throws: TPMFailure.self) { try TPMAddress.find(named: "usb:1", machine: machine) }
        let observer = FileObserver(failure: { $0.call == .look ? EACCES : nil })
        let found = try FileObserver.$current.withValue(observer) { try TPMAddress.find(named: nil, machine: machine) }
        #expect(found == .notPermitted(device: machine, group: nil))
    }
}

private let noBytes: [UInt8] = []
