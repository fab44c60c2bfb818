internal import Pavise

/// The sentences in English.
extension DiaryPhrases {
    static let english = DiaryPhrases(
        appName: "Sleep diary",
        cancel: "Cancel",
        close: "Close",
        back: "Back",
        save: "Save",
        erase: "Erase",
        working: "One moment…",
        failed: "That did not work",
        quit: "Quit",
        coverText: "Hidden while another window is in use.",
        pin: "PIN",
        digitsTyped: "%@ digits typed",
        digit: "Digit %@",
        takeBack: "Take back",
        enter: "Enter",
        choosePIN: "Choose a PIN",
        choosePINText: """
            4 to 6 digits. The PIN opens your diary and is stored nowhere: without it nobody can open the diary, \
            not even you.
            """,
        repeatPIN: "Type the same PIN again, then press Enter.",
        typePIN: "Type the PIN, then press Enter.",
        pinsDiffer: "The two PINs differ. Begin again.",
        locked: "The diary is locked",
        oldPIN: "Type the PIN that you have now.",
        newPIN: "Type the new PIN.",
        pinChanged: "The PIN was changed.",
        useBiometrics: "Open with face or finger",
        useBiometricsText: "From the next time that you type the PIN. The PIN stays.",
        openWithBiometrics: "Use face or finger",
        biometricsReason: "Opens your sleep diary",
        waitSeconds: "Next try in %@ s.",
        attemptsLeft: "%@ tries are left; then everything is erased.",
        erasedTitle: "Everything was erased",
        erasedText: """
            There were too many wrong PINs. The keys of the diary were destroyed; what was in it cannot be read \
            any more by anybody.
            """,
        beginAnew: "Begin anew",
        consentTitle: "Your health data",
        consentText: """
            This diary keeps what you tell about your sleep, your answers to questionnaires and documents that \
            you add. On this device all of it is encrypted with keys that your PIN guards. Nothing is sent anywhere \
            before you sign in at a server yourself; from then on your nights and documents are kept there, too. \
            You can export everything and erase everything on this device at any time, in the settings.
            """,
        agree: "I agree",
        disagree: "I do not agree",
        disagreed: "Then nothing is kept: the diary is empty again.",
        diary: "Diary",
        addNight: "Add a night",
        noNights: "No nights yet",
        noNightsText: "Tell about last night: it takes a minute.",
        nightLine: "%@ to %@ · asleep %@ · efficiency %@",
        night: "Night",
        evening: "Evening of (year-month-day)",
        toBed: "To bed at (hours:minutes)",
        up: "Got up at (hours:minutes)",
        asleepAfter: "Minutes until asleep",
        awake: "Minutes awake later",
        note: "Note",
        nightSaved: "The night was saved.",
        eraseNight: "Erase this night?",
        eraseNightText: "The night and its note are erased for good.",
        eraseNightElsewhere: """
            The night and its note are erased for good, here and at the server. They go from your other devices when \
            those synchronise.
            """,
        wrongDate: "Write the day as 2026-11-25.",
        wrongTime: "Write times as 23:05. In the night of a clock change one hour does not exist.",
        wrongMinutes: "Write minutes as a number from 0 to 1440.",
        wrongAwake: "Falling asleep and lying awake take longer than the night.",
        wrongOrder: "A night ends after it began, and within 24 hours.",
        wrongNote: "A note has at most 4000 characters.",
        trends: "Trends",
        lastNights: "The last 14 nights",
        inBed: "In bed",
        asleep: "Asleep",
        trendLine: "%@ nights · in bed %@ · asleep %@ · efficiency %@",
        weeks: "Weeks",
        months: "Months",
        weekOf: "Week %@, %@",
        noTrend: "Nothing to show yet.",
        questionnaires: "Questions",
        isi: "Insomnia Severity Index (ISI)",
        isiIntro: "How severe was each of these in the last two weeks?",
        phq9: "Patient Health Questionnaire (PHQ-9)",
        phq9Intro: "How often were you bothered by each of these in the last two weeks?",
        subjectsNote: """
            The subjects are named in this app's own words; the published wording is its owners'.
            """,
        answerNow: "Answer now",
        notAnswered: "Not answered yet",
        itemOf: "Question %@ of %@",
        skip: "Skip this question",
        resultTitle: "Result",
        sumOf: "Sum %@ of %@",
        incomplete: "%@ questions were left out: there is no sum.",
        noDiagnosis: "A result is no diagnosis. Talk about it with your doctor.",
        helpTitle: "You are not alone",
        helpText: """
            If you think about hurting yourself, talk to somebody now: in an emergency call 112 (Europe) or 911 \
            (USA); the line 988 (USA) and 116 123 (many countries of Europe) listen day and night.
            """,
        documents: "Documents",
        addDocument: "Add a document",
        noDocuments: "No documents",
        noDocumentsText: """
            Letters and reports that you keep beside the diary. They are shown without running or fetching \
            anything.
            """,
        cannotShow: "This kind of document is kept, but cannot be shown.",
        damagedDocument: "Damaged document",
        damagedDocumentText: """
            What is kept of it here is damaged, and is not used. If you are signed in, synchronising brings back what \
            the server has. If not, add it again from elsewhere, and erase this one.
            """,
        openDocument: "Show with its layout",
        documentNotOpened: "The document's window could not be opened. Its text stands here.",
        leftOut: "Left out for your safety: %@ (scripts, pictures on servers, styles).",
        links: "Links, not opened",
        eraseDocument: "Erase this document?",
        eraseDocumentText: "Its key is destroyed: no copy of it can be read any more.",
        eraseDocumentElsewhere: """
            It is erased at the server and on your other devices, too. What the sign-in keeps of it here, sealed, \
            goes after 30 days or when you sign out.
            """,
        tooLarge: "The file is larger than 16 MiB or cannot be read.",
        settings: "Settings",
        general: "App",
        language: "Language",
        asSystem: "As the system",
        appearance: "Appearance",
        light: "Light",
        dark: "Dark",
        remind: "Remind me to tell about the night",
        remindText: "The notice says nothing about your diary.",
        remindAt: "Reminder at (hours:minutes)",
        security: "Security",
        lockNow: "Lock now",
        changePIN: "Change the PIN",
        deviceFine: "The checks of this device found nothing.",
        deviceFindings: "The checks of this device found something: ask for help before you go on.",
        device: "Device",
        data: "Your data",
        export: "Export everything",
        exportText: "The file lies in clear where you save it: keep it safe.",
        exported: "Everything was exported.",
        exportedWithout: "Exported, but for documents that are damaged: %@",
        notExported: "The file could not be written.",
        formerNotErased: "The server’s address of version 1 of the app could not be erased.",
        eraseAll: "Erase everything",
        eraseAllQuestion: "Erase everything?",
        eraseAllText: """
            Nights, answers, documents, the sign-in and the PIN are erased for good. You get a receipt.
            """,
        receipt: "Receipt of deletion",
        receiptText: """
            %@: %@ nights, %@ questionnaires and %@ documents were erased; their keys were destroyed.
            """,
        receiptRevoked: "The server took the sign-in back.",
        receiptLater: """
            The server was not reached, or did not take the sign-in back: it ends there by its own time.
            """,
        receiptConsents: "What you said to the text about your data, %@ times, was erased, too.",
        receiptUncounted: "What could not be read any more was erased, too, and stands in no figure.",
        saveReceipt: "Save it",
        receiptSaved: "The receipt was saved.",
        withdraw: "Take back your consent",
        withdrawQuestion: "Take back your consent?",
        withdrawText: """
            The diary closes until you agree again. On the next page “I do not agree” erases everything here; export \
            it before, if you want to keep it. What the server of your clinic has stays there until you ask the clinic.
            """,
        account: "Server",
        accountText: """
            Sign in at the server of your clinic: your nights and documents are then kept there, too, and are the \
            same on all your devices. Answers stay on this one.
            """,
        address: "Address (https://…)",
        signIn: "Sign in",
        signInAgain: "Sign in again",
        signOut: "Sign out",
        signedInAt: "Signed in at %@",
        sessionEndedAt: "The session at %@ ended.",
        stateUnknown: "Cannot be said now.",
        browserOpened: "Go on in the browser; this window waits.",
        signedIn: "You are signed in.",
        signOutQuestion: "Sign out?",
        signOutText: "The sign-in is erased here first, also without a network. Your diary stays.",
        unsentUnknown: "Whether all of it is at the server cannot be said now.",
        signedOut: "You are signed out.",
        checkServer: "Ask the server who I am",
        serverSays: "The server knows you as %@.",
        push: "Tell me when another device changed the diary",
        pushText: "The notice says nothing about your diary.",
        sync: "Other devices",
        syncNow: "Synchronise now",
        syncDone: "All nights are at the server.",
        syncWaiting: "Nights that are not at the server yet: %@",
        documentsWaiting: "Documents that are not at the server yet: %@",
        syncResult: "Nights sent: %@, received: %@.",
        documentsResult: "Documents sent: %@, received: %@.",
        syncUnreadable: "Entries at the server that this app cannot read: %@. They stay there.",
        syncRefused: "The server does not take: %@. They stay here, and are tried again.",
        syncQuestion: "Much would change. Go on?",
        syncErasesHere: """
            The server has lost nights or documents, or another device erased many of them. If you go on, they are \
            erased on this device, too.
            """,
        syncErasesThere: """
            Documents that the server has are gone from this device. If you go on, they are erased at the server and \
            on your other devices, too.
            """,
        syncChanges: """
            The server is another one than before, or most of what it has reads otherwise now. If you go on, this \
            device takes that over, and sends what it alone has.
            """,
        syncGoOn: "Go on",
        conflicts: "Nights with two versions",
        conflictsText: "Waiting for you to choose: %@",
        conflictText: "Two of your devices changed the same night. Both versions are kept until you choose one.",
        conflictCurrent: "On all devices now",
        conflictOther: "The other version",
        conflictErased: "The night was erased.",
        keepThis: "Keep this version",
        keepQuestion: "Keep this version?",
        keepText: "On all your devices this is lost: %@",
        conflictClosed: "The night has one version again.",
        reviewTitle: "Do you know this server?",
        reviewText: "Nothing was sent to %@ yet. Its certificate cannot be confirmed:",
        reviewKey: "Key (SHA-256)",
        reviewIssuer: "Issued by",
        reviewNames: "Issued for",
        reviewMeaning: "What does this mean?",
        reviewMeaningText: """
            A certificate shows that you talk to the server you mean. Anybody can make one like this, also \
            somebody between you and the server. Ask the owner of the server for the digest of its key, by \
            telephone for example, and compare every character. If one differs, do not trust it.
            """,
        trust: "I compared it: trust",
        distrust: "Do not connect",
        notConnected: "Nothing was sent.",
        reminderTitle: "Sleep diary",
        reminderBody: "%@: time for an entry",
        pushBody: "Another of your devices was used.",
        neutralBody: "Something is new.",
        isiItems: [
            "Falling asleep",
            "Staying asleep",
            "Waking too early",
            "Satisfaction with your sleep",
            "Others notice that your sleep affects your life",
            "Worry about your sleep",
            "Your sleep gets in the way of the day",
        ],
        isiOptions: [
            "None",
            "Mild",
            "Moderate",
            "Severe",
            "Very severe",
        ],
        phq9Items: [
            "Little interest or joy",
            "Low mood",
            "Trouble with sleep",
            "Little energy",
            "Appetite",
            "Feeling bad about yourself",
            "Concentration",
            "Slowness or restlessness",
            "Thoughts of being better off dead, or of hurting yourself",
        ],
        phq9Options: [
            "Not at all",
            "Several days",
            "More than half the days",
            "Nearly every day",
        ],
        severities: [
            .notSignificant: "no clinically significant insomnia",
            .subthreshold: "subthreshold insomnia",
            .moderate: "moderate",
            .severe: "severe",
            .minimal: "minimal",
            .mild: "mild",
            .moderatelySevere: "moderately severe",
        ],
        failures: [
            .blocked: "Its key is on the list of broken keys.",
            .revoked: "Its authority has revoked it.",
            .weakKey: "Its key is too weak.",
            .weakSignature: "Its signature can be forged.",
            .denied: "An administrator denies it.",
            .pinMismatch: "It is not the key that this app expects.",
            .notCompliant: "It breaks the rules for certificates.",
            .notTransparent: "It is in no public log.",
            .revocationUnknown: "Nobody could say whether it was revoked.",
            .unknownAuthority: "No authority that this device trusts has issued it.",
            .selfSigned: "The server has signed it itself.",
            .wrongPurpose: "It is not made for servers.",
            .wrongHost: "It is made for another server.",
            .expired: "Its time is over.",
            .notYetValid: "Its time has not begun.",
            .keyChanged: "Its key is another one than before.",
        ])
}
