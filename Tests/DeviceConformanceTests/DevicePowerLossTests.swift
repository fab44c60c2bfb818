import Foundation
import PaviseDevice
import PavisePrimitives
import TestSupport
import Testing

/// UC-170 to UC-173, UC-185: keybag, attempts and epochs after a loss of power at any step.
@Suite struct DevicePowerLossTests {
    let fixture: DeviceFixture
    init() throws { fixture = try DeviceFixture() }

    private func home(_ moment: PowerLossModel.Moment, _ world: PowerLossModel.World) throws -> PaviseHome {
        let home = PaviseHome(path: fixture.folder.path + "/after-\(UUID().uuidString)")
        try PowerLossModel.build(moment, world, at: home.path)
        return home
    }

    /// Which of the passcodes opens; a device that does not open, or asks to wait, is a failure of the test.
    private func passcode(of home: PaviseHome, _ candidates: [String]) throws -> [String] {
        var environment = fixture.environment
        environment.places = [ProcessKeys(time: fixture.time.source)]
        let device = try Device.open(home, environment)
        return try candidates.filter { candidate in
            switch device.refusal(candidate) {
            case nil: return true
            case .wrongPasscode: return false
            case let other?: throw other
            }
        }
    }

    @Test(
        "UC-170, UC-171: a change of the passcode that loses its power leaves one of them, the old one or the new one"
    )
    func change() throws {
        let device = try fixture.device("1234")
        let model = try PowerLossModel(fixture.home.path)
        try model.follow {
            try device.changePasscode(
                SecretBytes(utf8: "1234"), to: SecretBytes(utf8: "5678"), cost: DeviceFixture.cheap)
        }
        try #require(model.moments.count > 20)
        for moment in model.moments {
            for world in PowerLossModel.World.allCases {
                let home = try home(moment, world)
                let found = try passcode(of: home, ["1234", "5678"])
                #expect(found.count == 1, "\(String(describing: moment.step)) \(world)")
                try Folder.remove(home.path)
            }
        }
        for world in PowerLossModel.World.allCases {
            let home = try home(model.now, world)
            // What was destroyed stays destroyed: the salt of the old epoch does not come back.
            #expect(try Folder.names(in: home.device + "/epochs").count == 1)
            #expect(try passcode(of: home, ["1234", "5678"]) == ["5678"])
        }
    }

    @Test("UC-170: a wrong try that was answered is on the disk")
    func attempt() throws {
        let device = try fixture.device("1234")
        let model = try PowerLossModel(fixture.home.path)
        model.follow { #expect(device.refusal("0000") == .wrongPasscode) }
        for world in PowerLossModel.World.allCases {
            let home = try home(model.now, world)
            #expect(try Device.open(home, fixture.environment).report().failures == 1, "\(world)")
        }
    }

    @Test("UC-170, UC-172: a new device that loses its power is a whole device, or none and no rest that is in the way")
    func creation() throws {
        try DurableFile.makeDirectory(fixture.home.path)
        let model = try PowerLossModel(fixture.home.path)
        try model.follow { _ = try fixture.open() }
        for moment in model.moments {
            for world in PowerLossModel.World.allCases {
                let home = try home(moment, world)
                #expect(throws: Never.self, "\(String(describing: moment.step)) \(world)") {
                    try Device.open(home, fixture.environment).report()
                }
                try Folder.remove(home.path)
            }
        }
    }

    @Test("UC-173: an erase that returned stays one after a loss of power")
    func erase() throws {
        let device = try fixture.device("1234")
        try DurableFile.makeDirectory(fixture.home.keychain)
        try DurableFile.write([1].span, to: fixture.home.keychain + "/items.db")
        let model = try PowerLossModel(fixture.home.path)
        try model.follow { try device.erase() }
        for world in PowerLossModel.World.allCases {
            let names = PowerLossModel.content(model.now, world).keys
            for name in ["/device/keybag", "/device/element.secret", "/device/erasing", "/keychain/items.db"] {
                #expect(!names.contains(name), "\(world) \(name)")
            }
        }
    }
}
