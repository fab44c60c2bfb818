extension IndicatorFile {
    /// Files of jailbreaks of iOS. Not looked for on a Mac, in Catalyst or in the simulator, which have a shell of
    /// their own.
    package static let iOS: [IndicatorFile] =
        [
            group(
                "rootless", .certain, "palera1n and Dopamine, file layout of rootless jailbreaks, 2023",
                [
                    "/var/jb/usr/bin",
                    "/var/jb/Library/LaunchDaemons",
                    "/var/jb/usr/lib/libellekit.dylib",
                    "/var/Liy",
                    "/var/Liy/.procursus_strapped",
                    "/Applications/palera1nLoader.app",
                    "/usr/bin/palera1n-helper",
                    "/var/mobile/Library/Preferences/com.opa334.Dopamine.plist",
                    "/var/mobile/Library/Preferences/com.roothide.pref.plist",
                    "/var/mobile/Library/Preferences/com.samiiau.loader.plist",
                ]),
            group(
                "injection", .certain,
                "Substrate, Substitute, libhooker and ElleKit, where each installs itself, 2015 to 2023",
                [
                    "/usr/lib/libellekit.dylib",
                    "/usr/lib/libhooker.dylib",
                    "/usr/lib/libsubstitute.dylib",
                    "/usr/lib/substrate",
                    "/usr/lib/TweakInject",
                    "/Library/MobileSubstrate/MobileSubstrate.dylib",
                    "/Library/MobileSubstrate/CydiaSubstrate.dylib",
                    "/Library/MobileSubstrate/DynamicLibraries",
                ]),
            group(
                "jailbreak", .certain, "unc0ver, Electra, checkra1n: the marks that each leaves, 2018 to 2020",
                [
                    "/.installed_unc0ver",
                    "/.cydia_no_stash",
                    "/.bootstrapped_electra",
                    "/jb/lzma",
                    "/jb/offsets.plist",
                    "/jb/jailbreakd.plist",
                    "/jb/amfid_payload.dylib",
                    "/jb/libjailbreak.dylib",
                    "/usr/lib/libjailbreak.dylib",
                    "/usr/share/jailbreak/injectme.plist",
                    "/var/binpack",
                ]),
            group(
                "package manager", .certain, "Cydia, Sileo, Zebra and other installers, where each lies, 2008 to 2022",
                [
                    "/Applications/Cydia.app",
                    "/Applications/Sileo.app",
                    "/Applications/Zebra.app",
                    "/Applications/FlyJB.app",
                    "/Applications/Icy.app",
                    "/Applications/RockApp.app",
                    "/Applications/blackra1n.app",
                    "/Applications/SBSettings.app",
                    "/Applications/WinterBoard.app",
                    "/Applications/MxTube.app",
                ]),
            group(
                "package lists", .likely,
                "dpkg and apt of jailbreaks; a past jailbreak may have left them, 2008 to 2022",
                [
                    "/etc/apt",
                    "/etc/apt/sources.list.d/sileo.sources",
                    "/etc/apt/sources.list.d/electra.list",
                    "/private/var/lib/apt",
                    "/private/var/lib/cydia",
                    "/private/var/stash",
                    "/private/var/cache/apt",
                    "/var/log/apt",
                ]),
            group(
                "hider", .certain,
                "Liberty, Shadow, A-Bypass, FlyJB and HideJB, where each installs itself, 2019 to 2022",
                [
                    "/usr/lib/ABDYLD.dylib",
                    "/usr/lib/ABSubLoader.dylib",
                    "/Library/PreferenceBundles/LibertyPref.bundle",
                    "/Library/PreferenceBundles/ShadowPreferences.bundle",
                    "/Library/PreferenceBundles/ABypassPrefs.bundle",
                    "/Library/PreferenceBundles/FlyJBPrefs.bundle",
                    "/Library/PreferenceBundles/HideJB.bundle",
                ]),
            group(
                "instrument", .certain, "Frida's packages for iOS, 2016 to 2024",
                [
                    "/usr/sbin/frida-server",
                    "/usr/lib/frida",
                ]),
            group(
                "shell", .likely, "OpenSSH and bash of jailbreaks; iOS has neither, 2008",
                [
                    "/bin/bash",
                    "/usr/sbin/sshd",
                    "/usr/libexec/ssh-keysign",
                    "/usr/libexec/sftp-server",
                    "/usr/bin/ssh",
                    "/etc/ssh/sshd_config",
                ]),
            group(
                "moved folder", .likely, "folders of iOS that older jailbreaks moved to the larger partition, 2008",
                [
                    "/Applications",
                    "/usr/libexec",
                    "/usr/share",
                    "/usr/include",
                    "/Library/Ringtones",
                    "/Library/Wallpaper",
                ], isLinkOnly: true),
        ].flatMap { $0 } + group("rootless", .certain, "the link that rootless jailbreaks make, 2022", ["/var/jb"])

    /// Names of images that change other programs; compared whole, so that an app called “Shadow” does not condemn
    /// itself.
    package static let images: Set<String> = [
        "MobileSubstrate.dylib",
        "CydiaSubstrate",
        "CydiaSubstrate.dylib",
        "SubstrateLoader.dylib",
        "SubstrateInserter.dylib",
        "SubstrateBootstrap.dylib",
        "TweakInject.dylib",
        "libhooker.dylib",
        "libsubstitute.dylib",
        "libsubstrate.dylib",
        "libellekit.dylib",
        "ABypass.dylib",
        "FlyJB.dylib",
        "Shadow.dylib",
        "HideJB.dylib",
        "LibertyLite.dylib",
        "SSLKillSwitch2.dylib",
        "SSLKillSwitch.dylib",
        "FridaGadget.dylib",
        "frida-agent.dylib",
        "libcycript.dylib",
        "cynject",
    ]
}
