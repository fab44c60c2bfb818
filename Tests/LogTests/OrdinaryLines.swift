/// Lines as programs write them every day, without anything that must not be in a log: made up, from a seed.
///
/// What they are full of is what a masker may take for something else: numbers of all lengths, times, versions, hashes
/// of commits, paths, addresses of memory and of machines, identifiers, the words "token", "key", "code", "state" and
/// "password" without a secret behind them.
struct OrdinaryLines: Sequence, IteratorProtocol {
    private var dice: Dice

    init(seed: UInt64) { dice = Dice(state: seed) }

    mutating func next() -> String? {
        let form = Self.forms[dice.below(Self.forms.count)]
        var line = ""
        for (place, part) in form.split(separator: "‹", omittingEmptySubsequences: false).enumerated() {
            let pieces = part.split(separator: "›", maxSplits: 1, omittingEmptySubsequences: false)
            line += place == 0 ? part : dice.made(of: pieces[0]) + pieces[1]
        }
        return line
    }

    // `‹digits 3›` is a number of three digits, `‹number 3›` of up to three, `‹hex 8›` and so on: see `Dice`.
    private static let forms = """
        ‹address› - - [‹two 28›/Oct/2026:‹time› +0200] "GET ‹path› HTTP/1.1" ‹digits 3› ‹number 8› "-" "Mozilla/5.0 \
        (X11; Linux x86_64; rv:‹digits 3›.0) Gecko/20100101 Firefox/‹digits 3›.0"
        ‹date› ‹time› [error] ‹number 5›#‹number 5›: *‹number 7› open() "‹path›" failed (2: No such file or \
        directory), client: ‹address›, server: _, request: "GET ‹path› HTTP/1.1"
        [‹date›T‹time›.‹digits 6›Z] "GET ‹path›?page=‹number 3›&sort=name&size=‹number 4›" ‹digits 3› - ‹number 6› \
        ‹number 4›us upstream=‹address›:‹digits 4› trace_id=‹hex 32›
        ‹date› ‹time›.‹digits 3› UTC [‹number 5›] LOG:  checkpoint complete: wrote ‹number 5› buffers (‹number 2›.1%)
        ‹date› ‹time› [Note] InnoDB: Log sequence number ‹digits 13›; transaction id ‹number 12›
        postfix/qmgr[‹number 5›]: ‹hex 11›: from=<>, size=‹number 6›, nrcpt=‹number 1› (queue active)
        haproxy[‹number 5›]: ‹address›:‹number 5› [‹time›.‹digits 3›] front back/‹host› 0/0/‹number 1›/‹number 3› 200 \
        ‹number 6› - - ---- ‹number 2›/‹number 2›/0/0/0 0/0
        ‹syslog› kernel: [‹number 6›.‹digits 6›] usb 1-‹number 1›: new high-speed USB device number ‹number 2›
        ‹syslog› kernel: BIOS-e820: [mem 0x‹hex 16›-0x‹hex 16›] usable
        ‹syslog› kernel: pci 0000:‹hex 2›:‹hex 2›.‹number 1›: [‹hex 4›:‹hex 4›] type 00 class 0x‹hex 6›
        ‹syslog› kernel: CPU: ‹number 2› PID: ‹number 5› Comm: ‹letters 7› Tainted: G W ‹version›-amd64 #1
        ‹syslog› kernel: RIP: 0010:‹letters 9›+0x‹hex 3›/0x‹hex 3› RSP: 0018:‹hex 16› EFLAGS: 000‹hex 5›
        ‹syslog› systemd[1]: Started ‹letters 8›@‹number 4›.service - ‹letters 6› for user ‹number 4›.
        ‹syslog› systemd[1]: session-‹number 4›.scope: Consumed ‹number 2›.‹digits 3›s CPU time.
        ‹syslog› sshd[‹number 5›]: Failed password for invalid user admin from ‹address› port ‹digits 5› ssh2
        ‹syslog› sshd[‹number 5›]: Accepted publickey for git from ‹address› port ‹digits 5› ssh2: ED25519 \
        SHA256:‹base64 43›
        ‹syslog› CRON[‹number 5›]: pam_unix(cron:session): session opened for user root(uid=0) by (uid=0)
        ‹syslog› dhclient[‹number 4›]: DHCPACK of ‹address› from ‹address› (xid=0x‹hex 8›)
        ‹syslog› NetworkManager[‹number 4›]: <info>  [‹digits 10›.‹digits 4›] device (eth0): state change: ip-config \
        -> ip-check (reason 'none', sys-iface-state: 'managed')
        ‹date› ‹time› upgrade ‹package›:amd64 ‹version›-1+deb12u‹number 1› ‹version›-2+deb12u‹number 1›
        ‹date› ‹time› status half-configured ‹package›:all 1:‹version›~rc‹number 1›
        Get:‹number 3› http://deb.debian.org/debian bookworm/main amd64 ‹package› amd64 ‹version›-1 [‹number 6› kB]
        type=SYSCALL msg=audit(‹digits 10›.‹digits 3›:‹number 6›): arch=c000003e syscall=‹number 3› success=yes exit=0 \
        a0=‹hex 12› a1=‹hex 12› items=‹number 1› ppid=‹number 5› key="‹letters 8›"
        ‹syslog› dbus-daemon[‹number 4›]: [system] Activating via systemd: service name='org.freedesktop.‹letters 7›1' \
        requested by ':1.‹number 3›' (uid=‹number 4› comm="‹path›")
        wlan0: associated with ‹hex 2›:‹hex 2›:‹hex 2›:‹hex 2›:‹hex 2›:‹hex 2› (rate ‹number 3› Mb/s)
        ‹date› ‹time›,‹digits 3› INFO  [main] o.a.‹letters 8›.‹letters 5›.Server - Listening on port ‹digits 4›
        \tat org.‹letters 8›.‹letters 6›.Client$‹letters 5›@‹hex 8› (Client.java:‹number 4›)
        token=android.os.Binder@‹hex 7›, userId=‹number 1›, code=‹number 3›, state=RESUMED
        ‹two 12›-‹two 28› ‹time›.‹digits 3›  ‹digits 4›  ‹digits 4› D PowerManagerService: release lock=‹digits 9›, \
        flg=0x0, tag="*launch*", name=android", ws=WorkSource{‹digits 5›}
        dfs.DataNode$PacketResponder: Received block blk_‹digits 19› of size ‹digits 8› from /‹address›
        dfs.FSNamesystem: block blk_-‹digits 18› is added to invalidSet of ‹address›:‹digits 5›
        order ‹number 12› of batch ‹number 16› packed in ‹number 4› ms, weight ‹number 4›.‹two 99›
        {"time":"‹date›T‹time›Z","level":"info","request":"‹uuid›","status":‹digits 3›,"ms":‹number 4›}
        {"event":"sync","etag":"\\"‹hex 40›\\"","revision":‹number 9›,"changed":["‹path›"],"state":"done"}
        cache miss key=user:‹number 6›:‹letters 5› ttl=‹number 4› size=‹number 7›
        the token of session ‹number 5› was renewed, and is valid for ‹number 4› s; a password is not needed
        secret scanning finished: ‹number 4› files, 0 findings, ‹number 2›.1 s; authorization is checked later
        GET https://‹letters 7›.example/api/v2/items/‹number 9›?limit=‹number 3›&from=‹date› -> ‹digits 3›
        retry 3 of 9 in ‹number 5› ms: connection refused (os error ‹number 3›), peer [‹hex 4›:‹hex 3›::‹hex 4›]:443
        pos=‹number 2›.‹digits 6›,-‹number 3›.‹digits 6› acc=‹number 3› steps=‹number 5› t=+02:00
        metric http_request_duration_seconds{code="‹digits 3›",le="0.‹number 3›"} ‹number 12› ‹digits 13›
        isbn 978-3-‹digits 2›-‹digits 6›-‹number 1› ean ‹digits 13› part AB‹digits 12›
        frame ‹number 6› fps=‹number 2› q=28.0 size=‹number 8›kB time=‹time›.‹two 99› bitrate=‹number 5›.1kbits/s
        commit ‹hex 40› Merge branch '‹letters 7›' in ‹path›
        ‹hex 7›..‹hex 7›  main -> origin/main (‹number 3› objects, delta ‹number 2›)
        sha256:‹hex 64› Pulling from library/‹letters 6›:‹version›-alpine
        Fetched https://github.com/apple/‹letters 9›.git from cache (‹number 1›.‹two 99›s), resolved at ‹version›
        [‹number 4›/‹digits 4›] Compiling ‹letters 9› ‹path›
        ‹path›: warning: variable '‹letters 8›' was never used; consider replacing with '_' [-Wunused]
        npm http fetch GET 200 https://registry.npmjs.org/‹letters 8› ‹number 4›ms integrity sha512-‹base64 86›==
        requirement already satisfied: ‹letters 8›[‹letters 4›]<‹version›,>=‹version› in ‹path›
        Test Case '-[‹letters 8›.‹letters 6› test‹letters 9›]' passed (‹number 1›.‹digits 3› seconds).
        layer ‹hex 12›: Pull complete ‹number 4›.1MB/‹number 4›.9MB digest ‹hex 32›
        0x‹hex 16› <+‹number 3›>: mov 0x‹hex 2›(%rsp),%rax  # ‹hex 6› <‹letters 6›+‹number 3›>
        """.split(separator: "\n")

    /// Numbers for lines that are made up (Steele, Lea and Flood, 2014); not for secrets.
    private struct Dice {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }

        mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

        /// What takes the place of a name with a count.
        mutating func made(of words: Substring) -> String {
            let parts = words.split(separator: " ")
            let count = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
            switch parts[0] {
            case "digits": return digits(count)
            case "number": return digits(below(count) + 1)
            case "hex": return run(count, "0123456789abcdef")
            case "letters": return letters(count)
            case "base64": return run(count, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
            case "two": return two(count)
            case "address": return (0..<4).map { _ in "\(below(256))" }.joined(separator: ".")
            case "time": return time()
            case "date": return "20\(two(27))-\(two(12))-\(two(29))"
            case "version": return "\(below(12)).\(below(60)).\(below(200))"
            case "uuid": return [8, 4, 4, 4, 12].map { run($0, "0123456789abcdef") }.joined(separator: "-")
            case "host": return host()
            case "syslog": return "\(one(["Jan", "Mar", "Oct", "Dec"])) \(below(28) + 1) \(time()) \(host())"
            case "package": return one(["libssl3", "curl", "libgtk-4-1", "openssh-server", "python3.11-minimal"])
            case "path": return path()
            default: preconditionFailure("nothing is called \(parts[0])")
            }
        }

        private mutating func one(_ words: [String]) -> String { words[below(words.count)] }
        private mutating func digits(_ count: Int) -> String { "\(below(9) + 1)" + run(count - 1, "0123456789") }
        private mutating func letters(_ count: Int) -> String { run(count, "abcdefghijklmnopqrstuvwxyz") }
        private mutating func two(_ limit: Int) -> String { String("\(100 + below(limit))".dropFirst()) }
        private mutating func time() -> String { "\(two(24)):\(two(60)):\(two(60))" }
        private mutating func host() -> String { "\(one(["web", "db", "mail", "build"]))-\(below(40))" }

        private mutating func path() -> String {
            var path = ""
            for _ in 0..<(below(4) + 2) {
                let name = letters(below(12) + 1)
                path += "/"
                path += one([
                    "usr", "lib", "share", "x86_64-linux-gnu", "Sources", "node_modules", "v2",
                    "com.apple.xpc.launchd", "LC_MESSAGES", name, name,
                ])
            }
            let (line, column) = (below(900), below(80))
            return path + one(["", "/index.html", ".js?v=\(column)", "/Icon@2x.png", "/main.swift:\(line):\(column)"])
        }

        private mutating func run(_ count: Int, _ from: StaticString) -> String {
            let letters = Array(from.description)
            return String((0..<Swift.max(0, count)).map { _ in letters[below(letters.count)] })
        }
    }
}
