internal import PaviseArguments
internal import PavisePrimitives

/// `pavise help environment`: every variable that the program or a library below it reads. Documentation/Environment.md
/// says the same; a test compares the two.
package enum EnvironmentTopic {
    /// The variables that Pavise itself reads, with what they mean.
    package static let own: [(name: String, meaning: String)] = [
        ("PAVISE_HOME", "the folder of all state; else $XDG_DATA_HOME/pavise, else ~/.local/share/pavise"),
        (
            "PAVISE_APP_ID",
            "the identity by which a program's items are told apart; else that of its Info.plist, else its name"
        ),
        (
            "PAVISE_ACCESS_GROUPS",
            "the access groups of a program, separated by commas, the default first: the whole list; set to nothing, "
                + "no group and no item"
        ),
        (
            "PAVISE_KEYRING",
            "whose an unlock is: user (the default), session, process; any other word is process"
        ),
        ("PAVISE_KEYCHAIN_RULES", "how strictly the keychain reads queries that Apple's would refuse"),
        ("PAVISE_MANAGED", "an administrator's file where /etc/pavise/managed.json is not there"),
        (
            "PAVISE_TRANSPARENCY_LOGS",
            "a list of certificate logs (log_list.json) for what SecTrustCopyResult tells of transparency; "
                + "it decides nothing"
        ),
        (
            "PAVISE_LOG",
            "where pavise and pavise-lab write security events: stderr, as with --log, or system; else in the "
                + "sealed log of the home alone"
        ),
        (
            "PAVISE_PROXY",
            "the proxy of all requests, http://host:port, or environment for what https_proxy, http_proxy, all_proxy "
                + "and no_proxy say; else none"
        ),
        (
            "PAVISE_TPM",
            "the address of a TPM 2.0 as tpm2-tss writes it, device:/dev/tpmrm0 or swtpm:host=127.0.0.1,port=2321; "
                + "or none; else the machine's own"
        ),
        ("PAVISE_ASKPASS", "a program that prints a passcode, a PIN or a client's secret"),
        ("PAVISE_PINENTRY", "a pinentry that asks a person"),
        (
            "LC_ALL, LC_MESSAGES, LANG, LANGUAGE",
            "the language of what is said about a failure, as with gettext: English or German"
        ),
        ("NO_COLOR, TERM", "no colours where the first is set or the second is dumb"),
        ("DISPLAY, WAYLAND_DISPLAY, PATH", "whether a desktop can ask, and where its programs are"),
    ]

    /// The whole text, 80 columns wide.
    package static var text: String {
        let libraries = LibraryVariable.Handling.allCases.map { handling in
            let names = LibraryVariable.all.filter { $0.handling == handling }.map(\.name)
            return (handling.rawValue, names.joined(separator: ", "))
        }
        return [
            "Variables of the environment.",
            HelpText.section("What Pavise itself reads", own.map { ($0.name, $0.meaning + ".") }),
            HelpText.section("What the libraries below read", libraries),
            HelpText.paragraphs(
                """
                “removed” is taken away before anything else; “ignored” has no effect; “counted” names authorities \
                that count as the app's own, which is said; “told” had its effect before the program began, which is \
                said; “kept” changes no decision. Documentation/Environment.md says what each does.
                """),
        ].joined(separator: "\n\n") + "\n"
    }
}
