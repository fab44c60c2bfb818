/// The rows as JSON, one a line. The sentences are ours; the standards decide. Sources: Documentation/Evidence.md.
enum RequirementTable {
    static let json = #"""
        [
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"purpose","how":"F\#
        irst-run disclosure component with versioned text; UI test that it precedes every other screen\#
        . Store text is checked by a person.","id":"O.Purp_1","kit":"partly","level":["MUST"],"set":"tr-\#
        03161-1","standard":"BSI TR-03161-1","text":"Store page and first run both disclose why the ap\#
        p exists and which personal data it handles.","tr":[],"verify":["app_test","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"purpose","how":"S\#
        can usage strings, entitlements, privacy manifest and linked data-collecting frameworks agains\#
        t a declared purpose file; a person judges necessity.","id":"O.Purp_2","kit":"no","level":["MUS\#
        T NOT"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Nothing is gathered or worked o\#
        n beyond what the declared lawful purpose calls for.","tr":[],"verify":["static_scan","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"purpose","how":"C\#
        onsent gate: vault writes and network calls refuse until a grant exists; test first launch make\#
        s no request and writes nothing.","id":"O.Purp_3","kit":"partly","level":["MUST"],"set":"tr-0316\#
        1-1","standard":"BSI TR-03161-1","text":"No personal data is touched until the person has give\#
        n an explicit, unmistakable yes.","tr":[],"verify":["kit_test","app_test","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"purpose","how":"P\#
        urpose tag on each record type; store rejects writes for a purpose without grant. Backend part i\#
        s outside.","id":"O.Purp_4","kit":"partly","level":["MUST NOT"],"set":"tr-03161-1","standard":"B\#
        SI TR-03161-1","text":"Whatever lies outside the given consent stays untouched, on the device an\#
        d on the server side.","tr":[],"verify":["kit_test","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"purpose","how":"W\#
        ithdrawal API destroys the purpose key and stops processing; UI test that the notice is shown be\#
        fore the grant.","id":"O.Purp_5","kit":"partly","level":["MUST"],"set":"tr-03161-1","standard":"\#
        BSI TR-03161-1","text":"A consent is revocable; before giving it the person learns of that righ\#
        t and of its effects on the app.","tr":[],"verify":["kit_test","app_test","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"purpose","how":"A\#
        ppend-only, hash-chained consent log with in-app view and export; the publisher-side register i\#
        s a server duty.","id":"O.Purp_6","kit":"partly","level":["MUST","SHOULD"],"set":"tr-03161-1","s\#
        tandard":"BSI TR-03161-1","text":"A consent register exists; each person can view their own entr\#
        ies in the app, and past states should be obtainable.","tr":[],"verify":["kit_test","app_test","\#
        human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"purpose","how":"L\#
        ist linked modules versus used symbols; the weighing is a written justification.","id":"O.Purp_7\#
        ","kit":"no","level":["MUST","SHOULD"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Ex\#
        ternal code is justified by purpose, surplus features are disabled, and pulling in a large libra\#
        ry for little use is a documented trade-off.","tr":[],"verify":["static_scan","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"purpose","how":"S\#
        tore refuses shared containers; scan app groups, file sharing, open-in-place, iCloud containers\#
        , tracker SDKs; egress allow-list.","id":"O.Purp_8","kit":"partly","level":["MUST NOT","MUST"],"\#
        set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Sensitive data stays with the app (world-r\#
        eadable storage counts as sharing); exceptions need purpose, full explanation and opt-in.","tr":\#
        [],"verify":["static_scan","kit_test","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"purpose","how":"M\#
        asked-by-default views with reveal on demand; snapshot test for masking.","id":"O.Purp_9","kit":\#
        "partly","level":["MUST NOT"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"A screen re\#
        veals sensitive values only when the main task requires seeing them.","tr":[],"verify":["app_tes\#
        t","human"]},
        {"automation":"none","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"architecture","how":\#
        "Process documents; scanner can only attach CI evidence.","id":"O.Arch_1","kit":"no","level":["M\#
        UST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Security work is embedded in ever\#
        y phase from design to retirement.","tr":[],"verify":["human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"architecture","ho\#
        w":"Data-class declarations in code (where stored, retention, key, erase path) rendered to a lif\#
        e-cycle table.","id":"O.Arch_2","kit":"partly","level":["MUST"],"set":"tr-03161-1","standard":"B\#
        SI TR-03161-1","text":"The architecture plans for sensitive data from the start, with a define\#
        d path from capture to erasure.","tr":[],"verify":["kit_test","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"architecture","ho\#
        w":"Generate the key inventory (purpose, algorithm, size, storage, access control, rotation, des\#
        truction) from the kit's key registry.","id":"O.Arch_3","kit":"partly","level":["MUST","SHOULD"]\#
        ,"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"A written key policy governs origin, sep\#
        aration, expiry and integrity of keys, preferably following an accepted standard.","tr":[],"veri\#
        fy":["kit_test","static_scan","human"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"architecture","how\#
        ":"Only ciphertext on disk, wrapping key this-device-only, files excluded from backup and flag r\#
        ead back; test scans the container for a canary.","id":"O.Arch_4","kit":"yes","level":["MUST"],"\#
        set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Anything sensitive that ends up in a backu\#
        p is strongly encrypted there.","tr":[],"verify":["kit_test","app_test","static_scan"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"architecture","\#
        how":"Inventory URL schemes, universal links, extensions, shared services, hosts; require a regi\#
        stered validator for each.","id":"O.Arch_5","kit":"partly","level":["MUST"],"set":"tr-03161-1","\#
        standard":"BSI TR-03161-1","text":"No outward interface or endpoint is left without protective c\#
        hecks.","tr":[],"verify":["static_scan","human"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"architecture","\#
        how":"Platform duty; scanner verifies the archive's code signature and its format.","id":"O.Arch\#
        _6","kit":"no","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"The packa\#
        ge carries a verifiable signature; the store vouches for its origin.","tr":[],"verify":["static_\#
        scan","human"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"architecture","\#
        how":"SBOM plus acknowledgements screen check; review of use.","id":"O.Arch_7","kit":"no","level\#
        ":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Embedded components are usabl\#
        e safely, explained to the person, and their idle features cannot be activated from outside.","t\#
        r":[],"verify":["static_scan","human"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"architecture","\#
        how":"Hardened web-view factory without script or bridges; scan for script handlers and evaluate\#
        JavaScript.","id":"O.Arch_8","kit":"yes","level":["MUST NOT"],"set":"tr-03161-1","standard":"BS\#
        I TR-03161-1","text":"Script code that can be influenced by input is cut off from protected stor\#
        es and personal data, barring a compelling purpose.","tr":[],"verify":["kit_test","static_scan"]\#
        },
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"architecture","ho\#
        w":"Check security.txt, SECURITY.md and an in-app link.","id":"O.Arch_9","kit":"no","level":["MU\#
        ST","SHOULD"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"There is a low-threshold wa\#
        y, ideally encrypted, to tell the maker about vulnerabilities.","tr":[],"verify":["static_scan",\#
        "server_probe","human"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"architecture","how\#
        ":"Update gate with signed policy document, fail-closed when single requests are blocked; need\#
        s a hosted policy file.","id":"O.Arch_10","kit":"yes","level":["SHOULD","MUST NOT","MUST"],"set"\#
        :"tr-03161-1","standard":"BSI TR-03161-1","text":"Start-up looks for security updates; while on\#
        e is outstanding, sensitive processing is blocked and the person is informed before and after.",\#
        "tr":[],"verify":["kit_test","app_test"]},
        {"automation":"none","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"architecture","how":\#
        "App Store statement.","id":"O.Arch_11","kit":"no","level":["MUST"],"set":"tr-03161-1","standard\#
        ":"BSI TR-03161-1","text":"Distribution happens only through a tamper-protected source and chann\#
        el.","tr":[],"verify":["human"]},
        {"automation":"none","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"architecture","how":\#
        "Website link list or QR code.","id":"O.Arch_12","kit":"no","level":["MUST"],"set":"tr-03161-1",\#
        "standard":"BSI TR-03161-1","text":"Finding the genuine app is easy and safe, for example by off\#
        icial links or codes.","tr":[],"verify":["human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"source code","how\#
        ":"Validators for links, QR, pasteboard, JSON size/depth; fuzz tests; scan for raw URL handlers.\#
        ","id":"O.Source_1","kit":"partly","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-\#
        1","text":"Input is validated first and used second, wherever it comes from.","tr":[],"verify":[\#
        "kit_test","static_scan","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"source code","how\#
        ":"Context encoders (HTML, SQL bind, URL); scan for string-built SQL and predicates.","id":"O.So\#
        urce_2","kit":"partly","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"D\#
        ata crossing the boundary in either direction is encoded for its context, stripped of harmful pa\#
        rts, or rejected.","tr":[],"verify":["kit_test","static_scan","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"source code","how\#
        ":"Redacting logger and sensitive-value wrapper; canary search in the log store; scan print/NSLo\#
        g/public privacy markers.","id":"O.Source_3","kit":"partly","level":["MUST NOT"],"set":"tr-03161\#
        -1","standard":"BSI TR-03161-1","text":"Logs and error texts are free of sensitive values; use\#
        r identifiers count as such.","tr":[],"verify":["kit_test","static_scan","app_test"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"source code","h\#
        ow":"Scan try!, fatalError, forced unwraps, empty catches; kit errors carry a code and a neutra\#
        l message.","id":"O.Source_4","kit":"partly","level":["MUST","MUST NOT"],"set":"tr-03161-1","sta\#
        ndard":"BSI TR-03161-1","text":"Every foreseeable failure has a documented handler, and technica\#
        l detail stays out of the person's view.","tr":[],"verify":["static_scan","human"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"source code","h\#
        ow":"Scoped access closures that zero their buffer on throw; test reads the buffer afterwards.",\#
        "id":"O.Source_5","kit":"partly","level":["SHOULD"],"set":"tr-03161-1","standard":"BSI TR-03161-\#
        1","text":"A failure aborts work on sensitive data and clears what was in memory.","tr":[],"veri\#
        fy":["kit_test","human"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"source code","h\#
        ow":"Scan Unsafe*Pointer, withUnsafe*, C targets, banned C calls; strict-memory-safety mode wher\#
        e available.","id":"O.Source_6","kit":"partly","level":["MUST"],"set":"tr-03161-1","standard":"B\#
        SI TR-03161-1","text":"Code that manages memory by hand sticks to bounds-checked variants.","tr"\#
        :[],"verify":["static_scan"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"source code","h\#
        ow":"Zeroing byte container, TTL caches; scan for String-typed secrets. Copies made by the runti\#
        me stay out of reach.","id":"O.Source_7","kit":"partly","level":["MUST"],"set":"tr-03161-1","sta\#
        ndard":"BSI TR-03161-1","text":"Sensitive values are wiped promptly once no longer needed, and t\#
        he wipe is confirmed.","tr":[],"verify":["kit_test","static_scan","human"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"source code","h\#
        ow":"Release-archive scan: debuggable entitlement, test hosts, debug menus, verbose symbols; ki\#
        t test doubles compiled out.","id":"O.Source_8","kit":"partly","level":["MUST"],"set":"tr-03161-\#
        1","standard":"BSI TR-03161-1","text":"The shipped build has no leftovers from development: tes\#
        t endpoints, debug switches, trial code.","tr":[],"verify":["static_scan","human"]},
        {"automation":"full","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"source code","how":"\#
        Check PIE, canaries, stripping, dead-code settings in build settings and Mach-O.","id":"O.Source\#
        _9","kit":"no","level":["SHOULD"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Compile\#
        r and linker hardening are switched on for release.","tr":[],"verify":["static_scan"]},
        {"automation":"full","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"source code","how":"\#
        The kit's own scanner with dated, versioned report in CI.","id":"O.Source_10","kit":"yes","level\#
        ":["SHOULD"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Static analysers are part o\#
        f the development routine.","tr":[],"verify":["static_scan"]},
        {"automation":"full","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"third-party software\#
        ","how":"SBOM (CycloneDX) from Package.resolved, binary targets, xcframeworks; diff against th\#
        e archive.","id":"O.TrdP_1","kit":"yes","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-0\#
        3161-1","text":"One full inventory of dependencies is maintained in one place.","tr":[],"verify"\#
        :["static_scan"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"third-party softw\#
        are","how":"Compare pins with upstream tags (needs network); a person accepts exceptions.","id":\#
        "O.TrdP_2","kit":"no","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"De\#
        pendencies are at the newest stable release or the one before it.","tr":[],"verify":["static_sca\#
        n"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"third-party softw\#
        are","how":"Vulnerability database match on the SBOM; impact analysis by a person.","id":"O.TrdP\#
        _3","kit":"no","level":["MUST","MUST NOT"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text"\#
        :"Dependencies are screened for known flaws on a schedule; findings are assessed and vulnerabl\#
        e functions avoided.","tr":[],"verify":["static_scan","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"third-party softw\#
        are","how":"Update gate with deadline per version; concept document by the publisher.","id":"O.T\#
        rdP_4","kit":"partly","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"De\#
        pendency fixes reach users fast; severity decides how long an old version may run, after which t\#
        he app stops working.","tr":[],"verify":["kit_test","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"third-party softw\#
        are","how":"Require exact pins, https hosts on an allow-list, checksums for binary targets.","id\#
        ":"O.TrdP_5","kit":"no","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"\#
        Where a dependency comes from is vetted before it is adopted.","tr":[],"verify":["static_scan","\#
        human"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"third-party sof\#
        tware","how":"Sensitive-value wrapper that does not convert implicitly; scan for known analytic\#
        s or crash SDKs.","id":"O.TrdP_6","kit":"partly","level":["SHOULD"],"set":"tr-03161-1","standard\#
        ":"BSI TR-03161-1","text":"Sensitive values should not be handed to external components.","tr":[\#
        ],"verify":["static_scan","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"third-party softw\#
        are","how":"Same validators at the boundary.","id":"O.TrdP_7","kit":"partly","level":["MUST"],"s\#
        et":"tr-03161-1","standard":"BSI TR-03161-1","text":"What external components deliver is treate\#
        d as untrusted input.","tr":[],"verify":["kit_test","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"third-party softw\#
        are","how":"Archived flag, age of last release, open known vulnerabilities.","id":"O.TrdP_8","ki\#
        t":"no","level":["MUST NOT"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Abandoned co\#
        mponents are banned.","tr":[],"verify":["static_scan","human"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"cryptography","\#
        how":"Kit takes key references, never literals; scan sources, resources and plists for keys an\#
        d high-entropy strings.","id":"O.Cryp_1","kit":"partly","level":["MUST NOT"],"set":"tr-03161-1",\#
        "standard":"BSI TR-03161-1","text":"The binary ships without embedded private or symmetric keys.\#
        ","tr":[],"verify":["kit_test","static_scan"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"cryptography","how\#
        ":"Apple's CryptoKit and Security on Apple systems, OpenSSL 3 behind a single importing module o\#
        n Linux; import allow-list; known-answer tests.","id":"O.Cryp_2","kit":"yes","level":["MUST"],"s\#
        et":"tr-03161-1","standard":"BSI TR-03161-1","text":"Cryptography comes from established librari\#
        es, not from home-made code.","tr":[],"verify":["kit_test","static_scan"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"cryptography","how\#
        ":"Closed algorithm enum; policy test compares it with a versioned TR-02102-1 table; scan for MD\#
        5, SHA-1, DES, RC4, ECB.","id":"O.Cryp_3","kit":"yes","level":["MUST"],"set":"tr-03161-1","stand\#
        ard":"BSI TR-03161-1","text":"Algorithms suit their task and appear in the current TR-02102-1 re\#
        commendations.","tr":[],"verify":["kit_test","static_scan"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"cryptography","how\#
        ":"Purpose-typed key handles and labelled derivation; test that cross-purpose use fails to compi\#
        le or throws.","id":"O.Cryp_4","kit":"yes","level":["MUST NOT"],"set":"tr-03161-1","standard":"B\#
        SI TR-03161-1","text":"No key does two jobs.","tr":[],"verify":["kit_test"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"cryptography","how\#
        ":"Minimum sizes in the type; scan literal key sizes.","id":"O.Cryp_5","kit":"yes","level":["MUS\#
        T"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Key lengths reach the current TR-0210\#
        2-1 level.","tr":[],"verify":["kit_test","static_scan"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"cryptography","\#
        how":"Secure Enclave P-256 wrapping key; provenance reported; needs a real device, simulators ha\#
        ve none.","id":"O.Cryp_6","kit":"yes","level":["SHOULD"],"set":"tr-03161-1","standard":"BSI TR-0\#
        3161-1","text":"Keys should reside where neither reading nor altering them is feasible.","tr":[]\#
        ,"verify":["kit_test","app_test"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"cryptography","\#
        how":"Signing and key agreement in the enclave; bulk AES runs on the CPU, so a standing justific\#
        ation text is part of the evidence.","id":"O.Cryp_7","kit":"partly","level":["SHOULD"],"set":"tr\#
        -03161-1","standard":"BSI TR-03161-1","text":"Cryptographic computation should happen inside tha\#
        t protected place too.","tr":[],"verify":["kit_test","human"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"cryptography","how\#
        ":"The system's generator only (SecRandomCopyBytes, CryptoKit, getrandom); scan for rand, random\#
        , drand48 and game-library sources.","id":"O.Rand_1","kit":"yes","level":["MUST"],"set":"tr-0316\#
        1-1","standard":"BSI TR-03161-1","text":"Randomness is drawn solely from a properly seeded crypt\#
        ographic generator.","tr":[],"verify":["kit_test","static_scan"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"authentication","\#
        how":"Generate the technical annex (factors, timers, counters) from the configured policy; the c\#
        oncept is written by the publisher.","id":"O.Auth_1","kit":"partly","level":["MUST"],"set":"tr-0\#
        3161-1","standard":"BSI TR-03161-1","text":"A documented concept covers assurance level of login\#
        , roles, and how sessions end.","tr":[],"verify":["human"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"authentication"\#
        ,"how":"Separate protocols in the kit; enforcement is on the server.","id":"O.Auth_2","kit":"par\#
        tly","level":["SHOULD","MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Proving id\#
        entity and granting rights are distinct parts; with roles, each access is checked separately.","\#
        tr":[],"verify":["static_scan","human"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"authentication"\#
        ,"how":"Device-bound enclave key plus PIN or password, both proven to the server; test that eith\#
        er factor alone fails.","id":"O.Auth_3","kit":"partly","level":["MUST"],"set":"tr-03161-1","stan\#
        dard":"BSI TR-03161-1","text":"Login always combines two independent factors.","tr":[],"verify":\#
        ["kit_test","app_test","human"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"authentication"\#
        ,"how":"Assurance level on each session; weaker level only with a recorded consent.","id":"O.Aut\#
        h_4","kit":"partly","level":["MAY"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"A wea\#
        ker login may be offered as an extra, after thorough information and consent.","tr":[],"verify":\#
        ["kit_test","human"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"authentication"\#
        ,"how":"Biometric-enrolment change invalidates keys; device key id and time claims sent.","id":"\#
        O.Auth_5","kit":"partly","level":["SHOULD"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text\#
        ":"Context such as device, network or time should influence how a login is rated.","tr":[],"veri\#
        fy":["kit_test"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"authentication","\#
        how":"Local failed-attempt notice; login history is a server feature.","id":"O.Auth_6","kit":"pa\#
        rtly","level":["SHOULD"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"People should b\#
        e able to hear about suspicious logins.","tr":[],"verify":["app_test","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"authentication","\#
        how":"Persisted attempt counter, growing delay, erase limit; survives restart, clock change an\#
        d reinstall. Online limits sit on the server.","id":"O.Auth_7","kit":"partly","level":["MUST"],"\#
        set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Trying out credentials is slowed down or s\#
        topped.","tr":[],"verify":["kit_test","server_probe"]},
        {"automation":"full","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"authentication","how\#
        ":"Session controller with monotonic clock; tests with injected clock and scene events.","id":"O\#
        .Auth_8","kit":"yes","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Com\#
        ing back from the background after more than a short grace requires proof of identity again.","t\#
        r":[],"verify":["kit_test","app_test"]},
        {"automation":"full","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"authentication","how\#
        ":"Idle timer reset by interaction; expiry locks the vault.","id":"O.Auth_9","kit":"yes","level"\#
        :["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Prolonged inactivity leads to r\#
        enewed proof of identity.","tr":[],"verify":["kit_test","app_test"]},
        {"automation":"full","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"authentication","how\#
        ":"Absolute session age drops tokens; server expiry can be probed with a test account.","id":"O.\#
        Auth_10","kit":"yes","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Eve\#
        n uninterrupted use reaches a limit at which the server session is renewed only after renewed pr\#
        oof of identity.","tr":[],"verify":["kit_test","server_probe"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"authentication"\#
        ,"how":"Change calls demand a fresh authentication context; the server must demand it too.","id"\#
        :"O.Auth_11","kit":"partly","level":["MUST NOT"],"set":"tr-03161-1","standard":"BSI TR-03161-1",\#
        "text":"Changing credentials presupposes a fresh login.","tr":[],"verify":["kit_test","human"]},
        {"automation":"full","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"authentication","how\#
        ":"Pinned TLS with chain and name checks; see O.Ntwk_4 and 5.","id":"O.Auth_12","kit":"yes","lev\#
        el":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"App and backend authenticat\#
        e their link by current best practice.","tr":[],"verify":["kit_test","static_scan","server_probe\#
        "]},
        {"automation":"full","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"authentication","how\#
        ":"Token store in keychain (this-device-only) or memory; scan for tokens in defaults or files.",\#
        "id":"O.Auth_13","kit":"yes","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","te\#
        xt":"Tokens and session ids enjoy the same protection as other sensitive values.","tr":[],"verif\#
        y":["kit_test","static_scan"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"authentication","\#
        how":"Revoke call and local purge; effect is proven only against the server.","id":"O.Auth_14","\#
        kit":"partly","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"The perso\#
        n can void a single token or all of them.","tr":[],"verify":["app_test","server_probe"]},
        {"automation":"full","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"authentication","how\#
        ":"Persistent revocation queue with retry, tested against a stub server; needs a server endpoint\#
        .","id":"O.Auth_15","kit":"yes","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1",\#
        "text":"A regular session end, manual or timed, is reported to the backend so that it discards t\#
        he tokens.","tr":[],"verify":["kit_test"]},
        {"automation":"full","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"authentication","how\#
        ":"Policy engine (length, blocklist, strength estimate); server must enforce too.","id":"O.Pass_\#
        1","kit":"yes","level":["MUST","SHOULD"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"\#
        Password rules are strong and should reflect current guidance.","tr":[],"verify":["kit_test"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"authentication","h\#
        ow":"Meter keeps no state; canary test on storage.","id":"O.Pass_2","kit":"yes","level":["MAY","\#
        MUST NOT"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"A strength meter is permitted\#
        , keeping its result is not.","tr":[],"verify":["kit_test"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"authentication","\#
        how":"Flow component; app provides the screen.","id":"O.Pass_3","kit":"partly","level":["MUST"],\#
        "set":"tr-03161-1","standard":"BSI TR-03161-1","text":"A function for changing one's password ex\#
        ists.","tr":[],"verify":["app_test"]},
        {"automation":"none","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"authentication","how\#
        ":"Server duty.","id":"O.Pass_4","kit":"no","level":["MUST","SHOULD"],"set":"tr-03161-1","standa\#
        rd":"BSI TR-03161-1","text":"The backend records password changes and resets and should notify t\#
        hrough a different channel.","tr":[],"verify":["human"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"authentication","h\#
        ow":"PBKDF2 or Argon2id with random salt and an enclave-bound factor; parameter floor tested.","\#
        id":"O.Pass_5","kit":"yes","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text\#
        ":"A kept password exists only as a salted hash from a current password-hashing function.","tr":\#
        [],"verify":["kit_test"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"data security","h\#
        ow":"Strict defaults, weaker options need an explicit, reported call; test freezes the default p\#
        rofile; scan permission prompts at start.","id":"O.Data_1","kit":"partly","level":["MUST"],"set"\#
        :"tr-03161-1","standard":"BSI TR-03161-1","text":"Out of the box the strictest settings apply.",\#
        "tr":[],"verify":["kit_test","static_scan","human"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"data security","ho\#
        w":"App-layer AEAD with enclave-wrapped keys; container scan for canaries; scan raw writes to fi\#
        les, defaults, Core Data.","id":"O.Data_2","kit":"yes","level":["MUST","MUST NOT","SHOULD"],"set\#
        ":"tr-03161-1","standard":"BSI TR-03161-1","text":"Sensitive values get encryption of their ow\#
        n on top of the system's; keys are not left readable anywhere, hardware custody preferred.","tr"\#
        :[],"verify":["kit_test","app_test","static_scan"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"data security","ho\#
        w":"Keychain or complete file protection plus app-layer encryption; attributes read back.","id":\#
        "O.Data_3","kit":"yes","level":["SHOULD"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":\#
        "Storage of sensitive values should be a place with extra protection against reading and change.\#
        ","tr":[],"verify":["kit_test","app_test"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"data security",\#
        "how":"Scan app groups, keychain groups, file sharing, document types, extensions; store refuse\#
        s shared locations.","id":"O.Data_4","kit":"partly","level":["MUST NOT"],"set":"tr-03161-1","sta\#
        ndard":"BSI TR-03161-1","text":"Nothing that opens a path to sensitive values is exposed to outs\#
        iders.","tr":[],"verify":["static_scan","kit_test"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"data security","h\#
        ow":"Retention per data class with automatic erase; periods are set by the publisher.","id":"O.D\#
        ata_5","kit":"partly","level":["MUST NOT"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text"\#
        :"Retention ends with the processing for which the data was taken.","tr":[],"verify":["kit_test"\#
        ,"human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"data security","h\#
        ow":"Privacy manifest and data-class list as input; judged by a person.","id":"O.Data_6","kit":"\#
        no","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"As little data as po\#
        ssible, bound to its purpose.","tr":[],"verify":["static_scan","human"]},
        {"automation":"none","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"data security","how"\#
        :"Architecture decision; local-first needs a written reason.","id":"O.Data_7","kit":"no","level"\#
        :["SHOULD"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Where a backend exists, it sh\#
        ould be the place for storing and processing sensitive data.","tr":[],"verify":["human"]},
        {"automation":"full","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"data security","how"\#
        :"Image, video and PDF metadata stripper; fixtures with GPS and device tags.","id":"O.Data_8","k\#
        it":"yes","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Location, devi\#
        ce and similar traces are stripped from captured media.","tr":[],"verify":["kit_test"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"data security","ho\#
        w":"Capture straight into the vault; scan photo-library writes and usage strings.","id":"O.Data_\#
        9","kit":"yes","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Sensitiv\#
        e captures never reach places other apps can read, such as the shared photo collection.","tr":[]\#
        ,"verify":["kit_test","static_scan"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"data security","ho\#
        w":"Secure text fields without learning; app-wide refusal of custom keyboards; scan plain text f\#
        ields on sensitive screens.","id":"O.Data_10","kit":"yes","level":["SHOULD"],"set":"tr-03161-1",\#
        "standard":"BSI TR-03161-1","text":"Typing sensitive text should leave nothing in keyboards, cac\#
        hes or suggestions.","tr":[],"verify":["app_test","static_scan"]},
        {"automation":"full","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"data security","how"\#
        :"Fields that refuse copy/cut; local-only expiring pasteboard as option; scan UIPasteboard.gener\#
        al.","id":"O.Data_11","kit":"yes","level":["SHOULD","MAY"],"set":"tr-03161-1","standard":"BSI TR\#
        -03161-1","text":"Sensitive fields should block copying out; an app-private clipboard is an opti\#
        on.","tr":[],"verify":["app_test","static_scan"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"data security","ho\#
        w":"Enclave keys, no export API; test that export attempts fail.","id":"O.Data_12","kit":"yes","\#
        level":["MUST NOT"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Private keys and biom\#
        etric templates stay inside the unit that created them.","tr":[],"verify":["kit_test"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"data security","h\#
        ow":"Cover on resign-active, capture and mirroring detection, screenshot notice. iOS has no publ\#
        ic way to forbid screenshots.","id":"O.Data_13","kit":"partly","level":["MUST"],"set":"tr-03161-\#
        1","standard":"BSI TR-03161-1","text":"The system's means against onlookers, captures and switch\#
        er previews are put to use.","tr":[],"verify":["app_test","human"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"data security","ho\#
        w":"Complete file protection set and read back; entitlement check; locked-device test needs hard\#
        ware.","id":"O.Data_14","kit":"yes","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161\#
        -1","text":"A check at run time shows that sensitive data is in encrypted form whenever the devi\#
        ce is locked.","tr":[],"verify":["kit_test","app_test","static_scan"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"data security","ho\#
        w":"Non-exportable enclave key wraps data keys; test that a copied container cannot be opened.",\#
        "id":"O.Data_15","kit":"yes","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","te\#
        xt":"Stored data opens only on the device it was written on.","tr":[],"verify":["kit_test"]},
        {"automation":"full","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"data security","how"\#
        :"Install marker; keychain left-overs purged and keys void on first start after reinstall; scrip\#
        ted reinstall test.","id":"O.Data_16","kit":"partly","level":["MUST"],"set":"tr-03161-1","standa\#
        rd":"BSI TR-03161-1","text":"Removing the app makes its sensitive data and credentials unreachab\#
        le.","tr":[],"verify":["kit_test","app_test"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"data security","ho\#
        w":"One call destroys wrapping keys, files, keychain items and caches, then verifies.","id":"O.D\#
        ata_17","kit":"yes","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Ther\#
        e is a way for the person to erase or render unusable everything sensitive, credentials included\#
        .","tr":[],"verify":["kit_test","app_test"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"data security",\#
        "how":"Signed wipe order, replay-protected; trigger side is the backend.","id":"O.Data_18","kit"\#
        :"partly","level":["MAY","MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"An eras\#
        e order from the backend is optional; whoever can trigger it is strongly authenticated.","tr":[]\#
        ,"verify":["kit_test","human"]},
        {"automation":"none","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"paid resources","how\#
        ":"Screen review.","id":"O.Paid_1","kit":"no","level":["MUST"],"set":"tr-03161-1","standard":"BS\#
        I TR-03161-1","text":"Offers and resources that cost money are recognisable as such.","tr":[],"v\#
        erify":["human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"paid resources","\#
        how":"Store sheet plus UI test.","id":"O.Paid_2","kit":"no","level":["MUST"],"set":"tr-03161-1",\#
        "standard":"BSI TR-03161-1","text":"A paid service starts only after agreement.","tr":[],"verify\#
        ":["app_test","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"paid resources","\#
        how":"Scan tel:, sms: and message composer use.","id":"O.Paid_3","kit":"no","level":["MUST"],"se\#
        t":"tr-03161-1","standard":"BSI TR-03161-1","text":"Asking for access to something that costs mo\#
        ney comes after agreement.","tr":[],"verify":["static_scan","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"paid resources","\#
        how":"Consent register entry.","id":"O.Paid_4","kit":"partly","level":["MAY"],"set":"tr-03161-1"\#
        ,"standard":"BSI TR-03161-1","text":"For frequent paid use a standing agreement is possible.","t\#
        r":[],"verify":["kit_test","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"paid resources","\#
        how":"Consent register.","id":"O.Paid_5","kit":"partly","level":["MUST"],"set":"tr-03161-1","sta\#
        ndard":"BSI TR-03161-1","text":"Such agreements can be taken back.","tr":[],"verify":["kit_test"\#
        ,"app_test"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"paid resources"\#
        ,"how":"Declare it as a sensitive data class.","id":"O.Paid_6","kit":"partly","level":["SHOULD",\#
        "MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Purchase history should live in t\#
        he backend and is handled as sensitive.","tr":[],"verify":["kit_test","human"]},
        {"automation":"none","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"paid resources","how\#
        ":"Document.","id":"O.Paid_7","kit":"no","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-\#
        03161-1","text":"A concept keeps payment data from revealing who used what.","tr":[],"verify":["\#
        human"]},
        {"automation":"none","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"paid resources","how\#
        ":"Screen review.","id":"O.Paid_8","kit":"no","level":["MUST"],"set":"tr-03161-1","standard":"BS\#
        I TR-03161-1","text":"The person can review costs and what caused them.","tr":[],"verify":["huma\#
        n"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"paid resources"\#
        ,"how":"Scan for purely local receipt checks.","id":"O.Paid_9","kit":"no","level":["SHOULD"],"se\#
        t":"tr-03161-1","standard":"BSI TR-03161-1","text":"Checking that a payment happened should be t\#
        he backend's job.","tr":[],"verify":["static_scan","human"]},
        {"automation":"none","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"paid resources","how\#
        ":"See O.TrdP.","id":"O.Paid_10","kit":"no","level":["MUST"],"set":"tr-03161-1","standard":"BS\#
        I TR-03161-1","text":"External payment methods obey the rules for external software.","tr":[],"v\#
        erify":["human"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"network","how":\#
        "Client-certificate identity from the enclave or signed requests; test server with client-auth\#
        ; probe that the server refuses clients without it.","id":"O.Ntwk_1","kit":"partly","level":["MU\#
        ST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Every connection is encrypted and bo\#
        th ends prove who they are, client certificates being one way.","tr":[],"verify":["kit_test","st\#
        atic_scan","server_probe","human"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"network","how":"Cl\#
        ient sets minimum version (and suites with Network.framework); groups cannot be set, so the serv\#
        er probe carries the proof.","id":"O.Ntwk_2","kit":"partly","level":["MUST"],"set":"tr-03161-1",\#
        "standard":"BSI TR-03161-1","text":"TLS settings follow TR-02102-2.","tr":[],"verify":["kit_test\#
        ","static_scan","server_probe"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"network","how":"UR\#
        LSession or Network.framework on Apple systems, libcurl with OpenSSL 3 on Linux; import and symb\#
        ol scan for other TLS stacks.","id":"O.Ntwk_3","kit":"yes","level":["MUST"],"set":"tr-03161-1","\#
        standard":"BSI TR-03161-1","text":"TLS is the system's or that of reviewed external software; no\#
        thing self-written.","tr":[],"verify":["static_scan","kit_test"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"network","how":"Pu\#
        blic-key pins with backup pin, in the trust evaluator and NSPinnedDomains; wrong-key server is r\#
        efused; live chain matches pins.","id":"O.Ntwk_4","kit":"yes","level":["MUST"],"set":"tr-03161-1\#
        ","standard":"BSI TR-03161-1","text":"Pins bind connections to expected keys or certificates.","\#
        tr":[],"verify":["kit_test","static_scan","server_probe"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"network","how":"Ne\#
        gative tests: expired, wrong name, self-signed, unknown root, weak key; scan for trust-all deleg\#
        ates.","id":"O.Ntwk_5","kit":"yes","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-\#
        1","text":"A connection goes on only after the server's certificate has been validated.","tr":[]\#
        ,"verify":["kit_test","static_scan"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"network","how":"TL\#
        S plus optional detached response signature with freshness; tamper tests.","id":"O.Ntwk_6","kit"\#
        :"yes","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Answers are accep\#
        ted only if unaltered and from the genuine backend.","tr":[],"verify":["kit_test"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"network","how":"In\#
        fo.plist ATS scan incl. every exception key.","id":"O.Ntwk_7","kit":"yes","level":["MUST"],"set"\#
        :"tr-03161-1","standard":"BSI TR-03161-1","text":"The platform's transport policies, ATS on Appl\#
        e systems, stay in force.","tr":[],"verify":["static_scan"]},
        {"automation":"full","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"network","how":"Conn\#
        ection journal from task metrics with complete header names and masked sensitive values, size-li\#
        mited, encrypted, upload hook.","id":"O.Ntwk_8","kit":"yes","level":["MUST","SHOULD"],"set":"tr-\#
        03161-1","standard":"BSI TR-03161-1","text":"Connections are journalled, and the journal shoul\#
        d go to the backend.","tr":[],"verify":["kit_test"]},
        {"automation":"full","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"platform interaction\#
        ","how":"Passcode check through LocalAuthentication; warning or refusal policy.","id":"O.Plat_1"\#
        ,"kit":"yes","level":["SHOULD","MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"\#
        A device lock should be active; if missing, the person is warned of the consequences.","tr":[],"\#
        verify":["kit_test","app_test"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"platform interact\#
        ion","how":"Diff of usage strings and entitlements against a declared list.","id":"O.Plat_2","ki\#
        t":"no","level":["MUST NOT"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Only permiss\#
        ions the main purpose depends on are requested.","tr":[],"verify":["static_scan","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"platform interact\#
        ion","how":"Purpose strings present, localised, not placeholders; consequence text by the app.",\#
        "id":"O.Plat_3","kit":"partly","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","\#
        text":"Each permission request comes with its reason and with what happens on refusal.","tr":[],\#
        "verify":["static_scan","human"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"platform intera\#
        ction","how":"Notification builder with neutral text by default; scan direct use of notificatio\#
        n content.","id":"O.Plat_4","kit":"yes","level":["MUST NOT"],"set":"tr-03161-1","standard":"BS\#
        I TR-03161-1","text":"Notifications are free of sensitive content unless the person chose otherw\#
        ise.","tr":[],"verify":["kit_test","static_scan"]},
        {"automation":"full","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"platform interaction\#
        ","how":"Setting with off default, stored consent, risk text hook.","id":"O.Plat_5","kit":"yes",\#
        "level":["MAY","MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Such a choice ma\#
        y exist and starts switched off.","tr":[],"verify":["kit_test"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"platform intera\#
        ction","how":"Keychain access control, file protection, no broadcasts; scan shared groups and no\#
        tifications centres.","id":"O.Plat_6","kit":"yes","level":["MUST"],"set":"tr-03161-1","standard"\#
        :"BSI TR-03161-1","text":"Access control guards sensitive data.","tr":[],"verify":["kit_test","s\#
        tatic_scan"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"platform interact\#
        ion","how":"Scan URL openings, activities, pasteboard, extensions, app groups.","id":"O.Plat_7",\#
        "kit":"partly","level":["MUST NOT"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Chann\#
        els between apps are not a transport for sensitive data unless the main purpose depends on it.",\#
        "tr":[],"verify":["static_scan","human"]},
        {"automation":"full","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"platform interaction\#
        ","how":"Web-view factory: scripts off, host allow-list, content rules.","id":"O.Plat_8","kit":"\#
        yes","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Embedded renderer\#
        s run no scripts; where that is impossible, content comes only from origins the maker controls o\#
        r approves.","tr":[],"verify":["kit_test","static_scan"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"platform interacti\#
        on","how":"Privacy cover at resign-active; test inspects the view tree or snapshot for a canary.\#
        ","id":"O.Plat_9","kit":"yes","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","t\#
        ext":"Leaving the foreground clears sensitive content from the visible view.","tr":[],"verify":[\#
        "app_test","static_scan"]},
        {"automation":"full","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"platform interaction\#
        ","how":"Navigation policy refuses file:, data:, javascript:, custom schemes.","id":"O.Plat_10",\#
        "kit":"yes","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Renderers ac\#
        cept only the URL schemes that are needed.","tr":[],"verify":["kit_test","static_scan"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"platform interacti\#
        on","how":"Non-persistent data store plus removal call; test that the store is empty.","id":"O.P\#
        lat_11","kit":"yes","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"A re\#
        gular exit includes asking the renderer to drop cookies and other session leftovers.","tr":[],"v\#
        erify":["kit_test"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"platform intera\#
        ction","how":"Registry of live secret buffers wiped on lock, background and terminate; iOS may k\#
        ill without notice. Standing justification text.","id":"O.Plat_12","kit":"partly","level":["SHOU\#
        LD"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Memory holding personal data shoul\#
        d be overwritten at the end.","tr":[],"verify":["kit_test","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"platform interact\#
        ion","how":"Security-status model (lock, OS version, jailbreak, backup) with texts; app shows it\#
        .","id":"O.Plat_13","kit":"partly","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-\#
        1","text":"People learn what they themselves can do for security.","tr":[],"verify":["app_test",\#
        "human"]},
        {"automation":"full","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"platform interaction\#
        ","how":"Launch sentinel detects unfinished starts; event queued for upload.","id":"O.Plat_14","\#
        kit":"yes","level":["SHOULD"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"A start o\#
        r resume that does not complete should be recorded as a security event, preferably server-side."\#
        ,"tr":[],"verify":["kit_test"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"resilience","how"\#
        :"Content and screen component; wording judged by a person.","id":"O.Resi_1","kit":"partly","lev\#
        el":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Easily accessible advice exp\#
        lains safe use and settings.","tr":[],"verify":["app_test","human"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"resilience","ho\#
        w":"App Attest plus heuristics behind one probe interface; reaction policy tested with fakes. iO\#
        S offers no such single function.","id":"O.Resi_2","kit":"partly","level":["MUST"],"set":"tr-031\#
        61-1","standard":"BSI TR-03161-1","text":"The app asks the system about its own integrity; o\#
        n a bad answer it warns of the risk or refuses to go on.","tr":[],"verify":["kit_test","app_test\#
        ","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"resilience","how"\#
        :"Trace flag, debuggable entitlement, injected libraries, simulator; exits in release builds.","\#
        id":"O.Resi_3","kit":"yes","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text\#
        ":"Self-checks at launch notice debugging or development conditions and terminate the app.","tr"\#
        :[],"verify":["kit_test","app_test","human"]},
        {"automation":"partial","depth":"CHECK","edition":"3.0 (2024-03-25)","family":"resilience","how"\#
        :"User id, sandbox escape probes, fork result.","id":"O.Resi_4","kit":"yes","level":["MUST"],"se\#
        t":"tr-03161-1","standard":"BSI TR-03161-1","text":"Self-checks at launch notice abnormal privil\#
        eges and terminate the app.","tr":[],"verify":["kit_test","human"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"resilience","ho\#
        w":"At least: custom firmware, OS version currency, suspicious tools; result gates the vault.","\#
        id":"O.Resi_5","kit":"partly","level":["SHOULD"],"set":"tr-03161-1","standard":"BSI TR-03161-1",\#
        "text":"The device's integrity should be confirmed ahead of sensitive processing.","tr":[],"veri\#
        fy":["kit_test","human"]},
        {"automation":"full","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"resilience","how":\#
        "Pinned session fails closed before the first byte of payload.","id":"O.Resi_6","kit":"yes","lev\#
        el":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"No payload flows before th\#
        e backend has proven to be genuine.","tr":[],"verify":["kit_test"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"resilience","ho\#
        w":"Integrity gate in front of every vault unlock.","id":"O.Resi_7","kit":"partly","level":["SHO\#
        ULD"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Further hardening, such as integrit\#
        y checks in front of sensitive steps, should be in place.","tr":[],"verify":["kit_test","human"]\#
        },
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"resilience","ho\#
        w":"A library cannot obfuscate its host; scanner measures left symbols and telling strings.","id\#
        ":"O.Resi_8","kit":"no","level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"\#
        Understanding the app from its binary is made hard with current means.","tr":[],"verify":["stati\#
        c_scan","human"]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"resilience","ho\#
        w":"Deployment-target floor, version-gated policy, test matrix.","id":"O.Resi_9","kit":"partly",\#
        "level":["MUST"],"set":"tr-03161-1","standard":"BSI TR-03161-1","text":"Differences between vend\#
        ors and OS versions open no holes and break nothing.","tr":[],"verify":["static_scan","kit_test"\#
        ]},
        {"automation":"partial","depth":"EXAMINE","edition":"3.0 (2024-03-25)","family":"resilience","ho\#
        w":"Crash-consistent store: kill at every write step, full disk, network loss; nothing lost, not\#
        hing in clear.","id":"O.Resi_10","kit":"partly","level":["MUST"],"set":"tr-03161-1","standard":"\#
        BSI TR-03161-1","text":"Faults and interruptions do not throw the app off course.","tr":[],"veri\#
        fy":["kit_test","human"]},
        {"automation":"full","depth":"","edition":"2.1.0","family":"","how":"Vault; container canary sca\#
        n; raw-write scan.","id":"MASVS-STORAGE-1","kit":"partly","level":[],"set":"masvs","standard":"O\#
        WASP MASVS","text":"Deliberate storage: protection follows the data to every place it is kept.",\#
        "tr":["O.Data_2","O.Data_3","O.Data_14","O.Data_15"],"verify":["kit_test","app_test","static_sca\#
        n"]},
        {"automation":"partial","depth":"","edition":"2.1.0","family":"","how":"Backup exclusion, redact\#
        ing logger, pasteboard rules.","id":"MASVS-STORAGE-2","kit":"partly","level":[],"set":"masvs","s\#
        tandard":"OWASP MASVS","text":"Accidental storage: backups, logs and caches leak nothing.","tr":\#
        ["O.Arch_4","O.Source_3","O.Data_10","O.Data_11"],"verify":["kit_test","app_test","static_scan"]\#
        },
        {"automation":"full","depth":"","edition":"2.1.0","family":"","how":"Closed algorithm set, KATs\#
        , scan for banned algorithms.","id":"MASVS-CRYPTO-1","kit":"yes","level":[],"set":"masvs","stand\#
        ard":"OWASP MASVS","text":"Algorithms and modes are modern and correctly applied.","tr":["O.Cryp\#
        _2","O.Cryp_3","O.Rand_1"],"verify":["kit_test","static_scan"]},
        {"automation":"full","depth":"","edition":"2.1.0","family":"","how":"Key registry with purpose\#
        , size, rotation, access control.","id":"MASVS-CRYPTO-2","kit":"yes","level":[],"set":"masvs","s\#
        tandard":"OWASP MASVS","text":"Keys have a sound life from creation to destruction.","tr":["O.Ar\#
        ch_3","O.Cryp_4","O.Cryp_5","O.Cryp_6"],"verify":["kit_test","static_scan","app_test"]},
        {"automation":"partial","depth":"","edition":"2.1.0","family":"","how":"OAuth/OIDC with PKCE i\#
        n the kit; server enforces.","id":"MASVS-AUTH-1","kit":"partly","level":[],"set":"masvs","standa\#
        rd":"OWASP MASVS","text":"Login and authorisation towards servers use sound protocols.","tr":["O\#
        .Auth_1","O.Auth_3","O.Auth_12"],"verify":["kit_test","static_scan","server_probe","human"]},
        {"automation":"full","depth":"","edition":"2.1.0","family":"","how":"Biometry bound to a key, ne\#
        ver a boolean; enrolment change voids keys.","id":"MASVS-AUTH-2","kit":"yes","level":[],"set":"m\#
        asvs","standard":"OWASP MASVS","text":"On-device unlocking relies on the platform's mechanisms a\#
        nd cannot be skipped.","tr":["O.Auth_5","O.Auth_7","O.Auth_8","O.Auth_9"],"verify":["kit_test","\#
        static_scan","app_test"]},
        {"automation":"partial","depth":"","edition":"2.1.0","family":"","how":"Fresh-authentication tok\#
        en required by guarded calls.","id":"MASVS-AUTH-3","kit":"partly","level":[],"set":"masvs","stan\#
        dard":"OWASP MASVS","text":"High-impact actions ask for a further proof.","tr":["O.Auth_11","O.A\#
        uth_15"],"verify":["kit_test","app_test"]},
        {"automation":"full","depth":"","edition":"2.1.0","family":"","how":"ATS scan, negative TLS test\#
        s, server probe.","id":"MASVS-NETWORK-1","kit":"partly","level":[],"set":"masvs","standard":"OWA\#
        SP MASVS","text":"Whatever leaves or enters the device is protected in transit.","tr":["O.Ntwk_1\#
        ","O.Ntwk_2","O.Ntwk_3","O.Ntwk_5","O.Ntwk_7"],"verify":["kit_test","static_scan","server_probe"\#
        ]},
        {"automation":"full","depth":"","edition":"2.1.0","family":"","how":"Pins with backup; wrong ke\#
        y refused; live match.","id":"MASVS-NETWORK-2","kit":"yes","level":[],"set":"masvs","standard":"\#
        OWASP MASVS","text":"Own servers are recognised by pinned identities.","tr":["O.Ntwk_4","O.Resi_\#
        6"],"verify":["kit_test","static_scan","server_probe"]},
        {"automation":"partial","depth":"","edition":"2.1.0","family":"","how":"Link validators, custom-\#
        keyboard refusal, scan.","id":"MASVS-PLATFORM-1","kit":"partly","level":[],"set":"masvs","standa\#
        rd":"OWASP MASVS","text":"Links, extensions, pasteboard and other app-to-app channels are harden\#
        ed.","tr":["O.Arch_5","O.Plat_6","O.Plat_7"],"verify":["static_scan","kit_test","human"]},
        {"automation":"full","depth":"","edition":"2.1.0","family":"","how":"Hardened factory.","id":"MA\#
        SVS-PLATFORM-2","kit":"partly","level":[],"set":"masvs","standard":"OWASP MASVS","text":"Embedde\#
        d web content is confined.","tr":["O.Arch_8","O.Plat_8","O.Plat_10","O.Plat_11"],"verify":["kit_\#
        test","static_scan"]},
        {"automation":"partial","depth":"","edition":"2.1.0","family":"","how":"Covers, masked views, ne\#
        utral notifications.","id":"MASVS-PLATFORM-3","kit":"partly","level":[],"set":"masvs","standard"\#
        :"OWASP MASVS","text":"Screens, previews and notifications give nothing away.","tr":["O.Data_13"\#
        ,"O.Plat_4","O.Plat_9"],"verify":["app_test","static_scan"]},
        {"automation":"full","depth":"","edition":"2.1.0","family":"","how":"Deployment target and runti\#
        me floor.","id":"MASVS-CODE-1","kit":"partly","level":[],"set":"masvs","standard":"OWASP MASVS",\#
        "text":"Outdated operating systems are excluded.","tr":["O.Resi_5","O.Resi_9"],"verify":["static\#
        _scan","kit_test"]},
        {"automation":"full","depth":"","edition":"2.1.0","family":"","how":"Update gate.","id":"MASVS-C\#
        ODE-2","kit":"yes","level":[],"set":"masvs","standard":"OWASP MASVS","text":"Old app versions ca\#
        n be forced to update.","tr":["O.Arch_10","O.TrdP_4"],"verify":["kit_test","app_test"]},
        {"automation":"partial","depth":"","edition":"2.1.0","family":"","how":"SBOM, vulnerability matc\#
        h, build flags.","id":"MASVS-CODE-3","kit":"partly","level":[],"set":"masvs","standard":"OWASP M\#
        ASVS","text":"Components with published flaws are kept out.","tr":["O.TrdP_1","O.TrdP_2","O.TrdP\#
        _3","O.TrdP_8"],"verify":["static_scan","human"]},
        {"automation":"partial","depth":"","edition":"2.1.0","family":"","how":"Validators and fuzzing."\#
        ,"id":"MASVS-CODE-4","kit":"partly","level":[],"set":"masvs","standard":"OWASP MASVS","text":"Un\#
        trusted input is checked and neutralised.","tr":["O.Source_1","O.Source_2"],"verify":["kit_test"\#
        ,"static_scan","human"]},
        {"automation":"partial","depth":"","edition":"2.1.0","family":"","how":"Probe interface, App Att\#
        est.","id":"MASVS-RESILIENCE-1","kit":"partly","level":[],"set":"masvs","standard":"OWASP MASVS"\#
        ,"text":"The app notices a compromised platform.","tr":["O.Resi_2","O.Resi_4","O.Resi_5"],"verif\#
        y":["kit_test","app_test","human"]},
        {"automation":"partial","depth":"","edition":"2.1.0","family":"","how":"App Attest, resource dig\#
        ests.","id":"MASVS-RESILIENCE-2","kit":"partly","level":[],"set":"masvs","standard":"OWASP MASVS\#
        ","text":"The app notices being modified.","tr":["O.Arch_6","O.Resi_7"],"verify":["kit_test","st\#
        atic_scan","human"]},
        {"automation":"partial","depth":"","edition":"2.1.0","family":"","how":"Measure only.","id":"MAS\#
        VS-RESILIENCE-3","kit":"no","level":[],"set":"masvs","standard":"OWASP MASVS","text":"Reading th\#
        e binary is made costly.","tr":["O.Resi_8","O.Source_8","O.Source_9"],"verify":["static_scan","h\#
        uman"]},
        {"automation":"partial","depth":"","edition":"2.1.0","family":"","how":"Debugger and hook checks\#
        ; debuggable entitlement scan.","id":"MASVS-RESILIENCE-4","kit":"partly","level":[],"set":"masvs\#
        ","standard":"OWASP MASVS","text":"Debugging and hooking at run time are made costly.","tr":["O.\#
        Resi_3"],"verify":["kit_test","static_scan","human"]},
        {"automation":"partial","depth":"","edition":"2.1.0","family":"","how":"Permission and entitleme\#
        nt diff.","id":"MASVS-PRIVACY-1","kit":"partly","level":[],"set":"masvs","standard":"OWASP MASVS\#
        ","text":"Data and permissions are requested sparingly.","tr":["O.Purp_2","O.Plat_2","O.Plat_3",\#
        "O.Data_6"],"verify":["static_scan","human"]},
        {"automation":"partial","depth":"","edition":"2.1.0","family":"","how":"Pseudonym function, trac\#
        ker scan.","id":"MASVS-PRIVACY-2","kit":"partly","level":[],"set":"masvs","standard":"OWASP MASV\#
        S","text":"People are not recognisable or trackable through the app.","tr":["O.Purp_8"],"verify"\#
        :["static_scan","kit_test","human"]},
        {"automation":"partial","depth":"","edition":"2.1.0","family":"","how":"Privacy manifest and tra\#
        cking-domain check.","id":"MASVS-PRIVACY-3","kit":"no","level":[],"set":"masvs","standard":"OWAS\#
        P MASVS","text":"What is collected, and why, is laid open.","tr":["O.Purp_1"],"verify":["static_\#
        scan","human"]},
        {"automation":"partial","depth":"","edition":"2.1.0","family":"","how":"Consent register, export\#
        , erase.","id":"MASVS-PRIVACY-4","kit":"partly","level":[],"set":"masvs","standard":"OWASP MASVS\#
        ","text":"People can inspect, export, withdraw and erase.","tr":["O.Purp_5","O.Purp_6","O.Data_1\#
        7"],"verify":["kit_test","app_test","human"]},
        {"automation":"partial","depth":"","edition":"2016/679","family":"","how":"Vault, transport, pse\#
        udonym function; evidence from O.Data_2, O.Data_15, O.Ntwk_1/2.","id":"GDPR Art. 32(1)(a)","kit"\#
        :"partly","level":[],"set":"gdpr32","standard":"GDPR","text":"Encrypt and pseudonymise persona\#
        l data where that is appropriate.","tr":["O.Data_2","O.Data_15","O.Ntwk_1","O.Ntwk_2","O.Arch_4"\#
        ],"verify":["kit_test","static_scan"]},
        {"automation":"partial","depth":"","edition":"2016/679","family":"","how":"Locking, access contr\#
        ol, robustness tests; server side is outside.","id":"GDPR Art. 32(1)(b)","kit":"partly","level":\#
        [],"set":"gdpr32","standard":"GDPR","text":"Keep systems confidential, intact, available and res\#
        ilient in the long run.","tr":["O.Auth_3","O.Auth_8","O.Resi_10","O.Plat_6"],"verify":["kit_test\#
        ","app_test","human"]},
        {"automation":"none","depth":"","edition":"2016/679","family":"","how":"Device-bound data canno\#
        t be restored elsewhere by design; recovery belongs to the backend or an explicit user export.",\#
        "id":"GDPR Art. 32(1)(c)","kit":"no","level":[],"set":"gdpr32","standard":"GDPR","text":"Be abl\#
        e to bring data and access back quickly after an incident.","tr":["O.Data_7","O.Resi_10"],"verif\#
        y":["human"]},
        {"automation":"partial","depth":"","edition":"2016/679","family":"","how":"Dated, versioned evid\#
        ence bundle per build in CI shows the regular testing.","id":"GDPR Art. 32(1)(d)","kit":"partly"\#
        ,"level":[],"set":"gdpr32","standard":"GDPR","text":"Test and evaluate the protective measures o\#
        n a regular basis.","tr":["O.Source_10","O.TrdP_3","O.Arch_1"],"verify":["static_scan","kit_test\#
        ","human"]},
        {"automation":"none","depth":"","edition":"2016/679","family":"","how":"Risk analysis; the kit s\#
        upplies the list of deviations with reasons.","id":"GDPR Art. 32(2)","kit":"no","level":[],"set"\#
        :"gdpr32","standard":"GDPR","text":"Match the level of protection to the actual risks.","tr":["O\#
        .Arch_2"],"verify":["human"]},
        {"automation":"none","depth":"","edition":"2016/679","family":"","how":"A TR-03161 certificate i\#
        s not a GDPR Art. 42 certificate.","id":"GDPR Art. 32(3)","kit":"no","level":[],"set":"gdpr32","\#
        standard":"GDPR","text":"Codes of conduct or certificates can help to demonstrate compliance.","\#
        tr":[],"verify":["human"]},
        {"automation":"none","depth":"","edition":"2016/679","family":"","how":"Organisational.","id":"G\#
        DPR Art. 32(4)","kit":"no","level":[],"set":"gdpr32","standard":"GDPR","text":"Staff and process\#
        ors handle data only as instructed.","tr":[],"verify":["human"]},
        {"automation":"none","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part I","h\#
        ow":"Risk assessment of the maker; this bundle is a part of its grounds.","id":"CRA Annex I I (1\#
        )","kit":"partly","level":[],"set":"cra","standard":"Cyber Resilience Act","text":"The product i\#
        s made so that its security fits its risks.","tr":[],"verify":["human"]},
        {"automation":"partial","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part I"\#
        ,"how":"Open findings of the auditor; a list of weaknesses of components is another tool.","id":\#
        "CRA Annex I I (2)(a)","kit":"partly","level":[],"set":"cra","standard":"Cyber Resilience Act","\#
        text":"It is placed on the market without known weaknesses that can be exploited.","tr":["O.Sour\#
        ce_1","O.Source_2","O.Source_10","O.TrdP_2"],"verify":["static_scan","human"]},
        {"automation":"partial","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part I"\#
        ,"how":"Debug switches, transport exceptions and entitlements are read; a reset is a test.","id"\#
        :"CRA Annex I I (2)(b)","kit":"partly","level":[],"set":"cra","standard":"Cyber Resilience Act",\#
        "text":"It comes with safe settings and can be put back to them.","tr":["O.Ntwk_7","O.Source_8\#
        ","O.Data_17"],"verify":["static_scan","kit_test","human"]},
        {"automation":"partial","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part I"\#
        ,"how":"Minimum version of the managed rules; delivery is the store's.","id":"CRA Annex I I (2)(\#
        c)","kit":"partly","level":[],"set":"cra","standard":"Cyber Resilience Act","text":"Weaknesses c\#
        an be mended by updates, automatic by default, with notice and a way to postpone.","tr":["O.Arch\#
        _10"],"verify":["kit_test","human"]},
        {"automation":"partial","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part I"\#
        ,"how":"Use of authentication and key-bound checks; reports are tests.","id":"CRA Annex I I (2)(\#
        d)","kit":"partly","level":[],"set":"cra","standard":"Cyber Resilience Act","text":"Access need\#
        s authentication and rights; attempts are reported.","tr":["O.Auth_2","O.Auth_3","O.Auth_12"],"v\#
        erify":["static_scan","kit_test","human"]},
        {"automation":"partial","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part I"\#
        ,"how":"Algorithms, classes of files and items, transport.","id":"CRA Annex I I (2)(e)","kit":"p\#
        artly","level":[],"set":"cra","standard":"Cyber Resilience Act","text":"Stored, sent and process\#
        ed data stays confidential by encryption of the state of the art.","tr":["O.Data_2","O.Data_3","\#
        O.Data_14","O.Cryp_3","O.Cryp_5","O.Ntwk_1","O.Ntwk_2"],"verify":["static_scan","kit_test","serv\#
        er_probe","human"]},
        {"automation":"partial","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part I"\#
        ,"how":"Authenticated modes, checked archives, tests with damaged files.","id":"CRA Annex I I (2\#
        )(f)","kit":"partly","level":[],"set":"cra","standard":"Cyber Resilience Act","text":"Data, comm\#
        ands and programs keep their integrity, and damage is reported.","tr":["O.Ntwk_6","O.Source_1","\#
        O.Resi_2"],"verify":["static_scan","kit_test","human"]},
        {"automation":"partial","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part I"\#
        ,"how":"Usage texts, manifest, analytics calls; need is judged by a person.","id":"CRA Anne\#
        x I I (2)(g)","kit":"partly","level":[],"set":"cra","standard":"Cyber Resilience Act","text":"On\#
        ly data that the purpose needs is processed.","tr":["O.Purp_2","O.TrdP_6"],"verify":["static_sca\#
        n","human"]},
        {"automation":"partial","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part I"\#
        ,"how":"Bounds of parsers and requests are tests.","id":"CRA Annex I I (2)(h)","kit":"partly","l\#
        evel":[],"set":"cra","standard":"Cyber Resilience Act","text":"Essential functions stay availabl\#
        e, also under denial of service.","tr":["O.Resi_10"],"verify":["kit_test","human"]},
        {"automation":"none","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part I","h\#
        ow":"Judgement.","id":"CRA Annex I I (2)(i)","kit":"partly","level":[],"set":"cra","standard":"C\#
        yber Resilience Act","text":"Other devices and networks are harmed as little as possible.","tr":\#
        [],"verify":["human"]},
        {"automation":"partial","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part I"\#
        ,"how":"Links, web views, shared files, runtime entitlements.","id":"CRA Annex I I (2)(j)","kit"\#
        :"partly","level":[],"set":"cra","standard":"Cyber Resilience Act","text":"Few surfaces for atta\#
        ck, also from outside.","tr":["O.Arch_5","O.Plat_7","O.Plat_10","O.Plat_8"],"verify":["static_sc\#
        an","human"]},
        {"automation":"partial","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part I"\#
        ,"how":"Erasure, separated keys, device binding.","id":"CRA Annex I I (2)(k)","kit":"partly","le\#
        vel":[],"set":"cra","standard":"Cyber Resilience Act","text":"Incidents have small effects by kn\#
        own techniques.","tr":["O.Data_15","O.Data_17","O.Resi_3"],"verify":["static_scan","kit_test","h\#
        uman"]},
        {"automation":"partial","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part I"\#
        ,"how":"The audit trail; what logs may hold.","id":"CRA Annex I I (2)(l)","kit":"partly","level"\#
        :[],"set":"cra","standard":"Cyber Resilience Act","text":"Relevant activity is recorded or obser\#
        ved, and a person can opt out.","tr":["O.Source_3","O.Ntwk_8","O.Plat_14"],"verify":["static_sca\#
        n","kit_test","human"]},
        {"automation":"partial","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part I"\#
        ,"how":"Wipe followed by a search for a canary.","id":"CRA Annex I I (2)(m)","kit":"partly","lev\#
        el":[],"set":"cra","standard":"Cyber Resilience Act","text":"A person can remove all data and se\#
        ttings for good, and move data safely.","tr":["O.Data_17","O.Data_16"],"verify":["kit_test","app\#
        _test","human"]},
        {"automation":"partial","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part II\#
        ","how":"Pinned dependencies are read; the bill of materials of the build is attached by the mak\#
        er.","id":"CRA Annex I II (1)","kit":"partly","level":[],"set":"cra","standard":"Cyber Resilienc\#
        e Act","text":"Components and weaknesses are recorded, with a bill of materials in a common form\#
        at (BSI TR-03183-2 says which fields).","tr":["O.TrdP_1","O.TrdP_5"],"verify":["static_scan","hu\#
        man"]},
        {"automation":"none","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part II","\#
        how":"Process.","id":"CRA Annex I II (2)","kit":"partly","level":[],"set":"cra","standard":"Cybe\#
        r Resilience Act","text":"Weaknesses are mended without delay; security updates are separate whe\#
        re that is possible.","tr":["O.TrdP_2"],"verify":["human"]},
        {"automation":"partial","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part II\#
        ","how":"This bundle, dated; tests whose controls were taken away and missed.","id":"CRA Anne\#
        x I II (3)","kit":"partly","level":[],"set":"cra","standard":"Cyber Resilience Act","text":"Secu\#
        rity is tested and reviewed regularly and effectively.","tr":["O.Source_10"],"verify":["static_s\#
        can","kit_test","human"]},
        {"automation":"none","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part II","\#
        how":"Process.","id":"CRA Annex I II (4)","kit":"partly","level":[],"set":"cra","standard":"Cybe\#
        r Resilience Act","text":"Mended weaknesses are published with what a person must do.","tr":[],"\#
        verify":["human"]},
        {"automation":"none","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part II","\#
        how":"SECURITY file and practice.","id":"CRA Annex I II (5)","kit":"partly","level":[],"set":"cr\#
        a","standard":"Cyber Resilience Act","text":"A policy of coordinated disclosure exists and is en\#
        forced.","tr":["O.Arch_12"],"verify":["human"]},
        {"automation":"none","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part II","\#
        how":"Process.","id":"CRA Annex I II (6)","kit":"partly","level":[],"set":"cra","standard":"Cybe\#
        r Resilience Act","text":"Information about weaknesses can be sent to a contact.","tr":["O.Arch_\#
        12"],"verify":["human"]},
        {"automation":"none","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part II","\#
        how":"Delivery is the store's.","id":"CRA Annex I II (7)","kit":"partly","level":[],"set":"cra",\#
        "standard":"Cyber Resilience Act","text":"Updates are spread securely and, for security, in tim\#
        e and automatically where possible.","tr":["O.Arch_10"],"verify":["human"]},
        {"automation":"none","depth":"","edition":"(EU) 2024/2847, OJ L 20.11.2024","family":"Part II","\#
        how":"Process.","id":"CRA Annex I II (8)","kit":"partly","level":[],"set":"cra","standard":"Cybe\#
        r Resilience Act","text":"Security updates come without delay and free of charge, with advice.",\#
        "tr":[],"verify":["human"]}
        ]
        """#
}
