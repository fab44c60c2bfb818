extension IndicatorFile {
    /// Files of rootkits and instruments on Linux.
    package static let linux: [IndicatorFile] = [
        group(
            "Frida", .likely, "Frida's server, where its documentation and packages put it, 2024",
            [
                "/usr/sbin/frida-server",
                "/usr/bin/frida-server",
                "/usr/local/bin/frida-server",
                "/tmp/frida-server",
                "/usr/lib/frida",
                "/usr/local/lib/frida",
            ]),
        group(
            "debugger's server", .hint, "gdb and lldb, package lists of Debian, 2023",
            [
                "/usr/bin/gdbserver",
                "/usr/bin/lldb-server",
            ]),
        group(
            "t0rn", .certain, "files named in public analyses of the t0rn kit, 2001",
            [
                "/usr/src/.puta",
                "/usr/info/.t0rn",
                "/lib/ldlib.tk",
                "/etc/ttyhash",
            ]),
        group(
            "SucKIT", .certain, "files named in public analyses of SucKIT, 2001",
            [
                "/usr/share/locale/sk/.sk12",
                "/dev/sdhu0/tehdrakg",
            ]),
        group(
            "knark", .certain, "the folder of the knark module, 1999",
            [
                "/proc/knark"
            ]),
        group(
            "SHV5", .certain, "files named in public analyses of the SHV kits, 2004",
            [
                "/lib/libsh.so",
                "/usr/lib/libsh",
                "/etc/sh.conf",
            ]),
        group(
            "Ramen", .certain, "files named in public analyses of the Ramen worm, 2001",
            [
                "/usr/src/.poop",
                "/tmp/ramen.tgz",
            ]),
        group(
            "Reptile", .certain, "the default paths of the Reptile rootkit's source, 2018",
            [
                "/reptile",
                "/lib/udev/reptile",
            ]),
        group(
            "Jynx", .certain, "the default paths of Jynx and Jynx2's source, 2011",
            [
                "/xochikit",
                "/usr/bin/ld_poison.so",
                "/lib/ld_poison.so",
                "/usr/lib/jynx2.so",
            ]),
        group(
            // Its library took the name libselinux.a: where /lib is a link to /usr/lib, packages for developers have
            // a file of that name.
            "HiddenWasp", .certain, "Intezer, HiddenWasp Malware Stings Targeted Linux Systems, 2019",
            [
                "/tmp/.bash"
            ]),
        group(
            "BPFDoor", .certain, "files named in public analyses of BPFDoor, Sandfly's among them, 2022",
            [
                "/dev/shm/kdmtmpflush",
                "/var/run/haldrund.pid",
            ]),
        group(
            "OrBit", .certain, "files named in public analyses of OrBit, Intezer's among them, 2022",
            [
                "/lib/libntpVnQE6mk",
                "/dev/shm/ldx",
            ]),
        group(
            "Kinsing", .certain, "files named in public analyses of Kinsing, Aqua Security's among them, 2020",
            [
                "/tmp/kdevtmpfsi",
                "/tmp/kinsing",
                "/etc/libsystem.so",
            ]),
        group(
            "Skidmap", .certain, "files named in public analyses of Skidmap, Trend Micro's among them, 2019",
            [
                "/usr/bin/kaudited"
            ]),
        group(
            "libprocesshider", .likely, "the default path of libprocesshider's source, 2014",
            [
                "/usr/local/lib/libprocesshider.so"
            ]),
        group(
            "Rocke", .certain, "files named in public analyses of Rocke, 2019",
            [
                "/usr/local/lib/libioset.so",
                "/usr/local/lib/libjdk.so",
            ]),
    ].flatMap { $0 }
}
