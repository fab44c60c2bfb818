internal import Pavise

/// The sentences in German.
extension DiaryPhrases {
    static let german = DiaryPhrases(
        appName: "Schlaftagebuch",
        cancel: "Abbrechen",
        close: "Schließen",
        back: "Zurück",
        save: "Speichern",
        erase: "Löschen",
        working: "Einen Moment …",
        failed: "Das hat nicht geklappt",
        quit: "Beenden",
        coverText: "Verborgen, solange ein anderes Fenster benutzt wird.",
        pin: "PIN",
        digitsTyped: "%@ Ziffern eingegeben",
        digit: "Ziffer %@",
        takeBack: "Zurücknehmen",
        enter: "Eingabe",
        choosePIN: "PIN wählen",
        choosePINText: """
            4 bis 6 Ziffern. Die PIN öffnet Ihr Tagebuch und wird nirgends gespeichert: Ohne sie kann niemand \
            das Tagebuch öffnen, auch Sie nicht.
            """,
        repeatPIN: "Geben Sie dieselbe PIN noch einmal ein und drücken Sie die Eingabetaste.",
        typePIN: "Geben Sie die PIN ein und drücken Sie die Eingabetaste.",
        pinsDiffer: "Die beiden PINs sind verschieden. Beginnen Sie von vorn.",
        locked: "Das Tagebuch ist gesperrt",
        oldPIN: "Geben Sie die bisherige PIN ein.",
        newPIN: "Geben Sie die neue PIN ein.",
        pinChanged: "Die PIN wurde geändert.",
        useBiometrics: "Mit Gesicht oder Finger öffnen",
        useBiometricsText: "Ab der nächsten Eingabe der PIN. Die PIN bleibt.",
        openWithBiometrics: "Gesicht oder Finger benutzen",
        biometricsReason: "Öffnet Ihr Schlaftagebuch",
        waitSeconds: "Nächster Versuch in %@ s.",
        attemptsLeft: "Noch %@ Versuche; danach wird alles gelöscht.",
        erasedTitle: "Alles wurde gelöscht",
        erasedText: """
            Es gab zu viele falsche PINs. Die Schlüssel des Tagebuchs wurden zerstört; sein Inhalt ist für \
            niemanden mehr lesbar.
            """,
        beginAnew: "Neu beginnen",
        consentTitle: "Ihre Gesundheitsdaten",
        consentText: """
            Dieses Tagebuch bewahrt, was Sie über Ihren Schlaf erzählen, Ihre Antworten auf Fragebögen und Dokumente, \
            die Sie hinzufügen. Auf diesem Gerät ist alles mit Schlüsseln verschlüsselt, die Ihre PIN schützt. Nichts \
            wird gesendet, bevor Sie sich selbst an einem Server anmelden; von da an liegen Ihre Nächte und Dokumente \
            auch dort. Sie können jederzeit in den Einstellungen alles exportieren und alles auf diesem Gerät löschen.
            """,
        agree: "Ich stimme zu",
        disagree: "Ich stimme nicht zu",
        disagreed: "Dann wird nichts aufbewahrt: Das Tagebuch ist wieder leer.",
        diary: "Tagebuch",
        addNight: "Nacht eintragen",
        noNights: "Noch keine Nächte",
        noNightsText: "Erzählen Sie von der letzten Nacht: Es dauert eine Minute.",
        nightLine: "%@ bis %@ · geschlafen %@ · Effizienz %@",
        night: "Nacht",
        evening: "Abend des (Jahr-Monat-Tag)",
        toBed: "Zu Bett um (Stunden:Minuten)",
        up: "Aufgestanden um (Stunden:Minuten)",
        asleepAfter: "Minuten bis zum Einschlafen",
        awake: "Minuten wach gelegen",
        note: "Notiz",
        nightSaved: "Die Nacht wurde gespeichert.",
        eraseNight: "Diese Nacht löschen?",
        eraseNightText: "Die Nacht und ihre Notiz werden endgültig gelöscht.",
        eraseNightElsewhere: """
            Die Nacht und ihre Notiz werden endgültig gelöscht, hier und am Server. Von Ihren anderen Geräten \
            verschwinden sie, sobald diese abgleichen.
            """,
        wrongDate: "Schreiben Sie den Tag als 2026-11-25.",
        wrongTime: """
            Schreiben Sie Uhrzeiten als 23:05. In der Nacht einer Zeitumstellung gibt es eine Stunde nicht.
            """,
        wrongMinutes: "Schreiben Sie Minuten als Zahl von 0 bis 1440.",
        wrongAwake: "Einschlafen und Wachliegen dauern länger als die Nacht.",
        wrongOrder: "Eine Nacht endet nach ihrem Beginn und innerhalb von 24 Stunden.",
        wrongNote: "Eine Notiz hat höchstens 4000 Zeichen.",
        trends: "Verlauf",
        lastNights: "Die letzten 14 Nächte",
        inBed: "Im Bett",
        asleep: "Geschlafen",
        trendLine: "%@ Nächte · im Bett %@ · geschlafen %@ · Effizienz %@",
        weeks: "Wochen",
        months: "Monate",
        weekOf: "Woche %@, %@",
        noTrend: "Noch nichts zu zeigen.",
        questionnaires: "Fragebögen",
        isi: "Insomnia Severity Index (ISI)",
        isiIntro: "Wie stark war jedes davon in den letzten zwei Wochen?",
        phq9: "Gesundheitsfragebogen (PHQ-9)",
        phq9Intro: "Wie oft hat Sie jedes davon in den letzten zwei Wochen belastet?",
        subjectsNote: """
            Die Themen stehen in den Worten dieser App; der veröffentlichte Wortlaut gehört seinen Inhabern.
            """,
        answerNow: "Jetzt beantworten",
        notAnswered: "Noch nicht beantwortet",
        itemOf: "Frage %@ von %@",
        skip: "Diese Frage auslassen",
        resultTitle: "Ergebnis",
        sumOf: "Summe %@ von %@",
        incomplete: "%@ Fragen wurden ausgelassen: Es gibt keine Summe.",
        noDiagnosis: """
            Ein Ergebnis ist keine Diagnose. Besprechen Sie es mit Ihrer Ärztin oder Ihrem Arzt.
            """,
        helpTitle: "Sie sind nicht allein",
        helpText: """
            Wenn Sie daran denken, sich etwas anzutun, sprechen Sie jetzt mit jemandem: im Notfall 112; die \
            TelefonSeelsorge ist Tag und Nacht kostenlos unter 0800 111 0 111 oder 116 123 für Sie da.
            """,
        documents: "Dokumente",
        addDocument: "Dokument hinzufügen",
        noDocuments: "Keine Dokumente",
        noDocumentsText: """
            Briefe und Befunde, die Sie neben dem Tagebuch aufbewahren. Sie werden angezeigt, ohne etwas \
            auszuführen oder zu laden.
            """,
        cannotShow: "Dieses Dokument wird aufbewahrt, kann aber nicht angezeigt werden.",
        damagedDocument: "Beschädigtes Dokument",
        damagedDocumentText: """
            Was hier davon aufbewahrt wird, ist beschädigt und wird nicht verwendet. Sind Sie angemeldet, holt der \
            Abgleich zurück, was der Server hat. Sonst fügen Sie es von anderswo neu hinzu und löschen dieses.
            """,
        openDocument: "Mit Gestaltung anzeigen",
        documentNotOpened: "Das Fenster des Dokuments ließ sich nicht öffnen. Sein Text steht hier.",
        leftOut: "Zu Ihrer Sicherheit ausgelassen: %@ (Skripte, Bilder auf Servern, Stile).",
        links: "Links, nicht geöffnet",
        eraseDocument: "Dieses Dokument löschen?",
        eraseDocumentText: "Sein Schlüssel wird zerstört: Keine Kopie davon ist mehr lesbar.",
        eraseDocumentElsewhere: """
            Es wird auch am Server und auf Ihren anderen Geräten gelöscht. Was die Anmeldung hier versiegelt davon \
            behält, verschwindet nach 30 Tagen oder mit der Abmeldung.
            """,
        tooLarge: "Die Datei ist größer als 16 MiB oder nicht lesbar.",
        settings: "Einstellungen",
        general: "App",
        language: "Sprache",
        asSystem: "Wie das System",
        appearance: "Aussehen",
        light: "Hell",
        dark: "Dunkel",
        remind: "An das Eintragen der Nacht erinnern",
        remindText: "Die Mitteilung sagt nichts über Ihr Tagebuch.",
        remindAt: "Erinnern um (Stunden:Minuten)",
        security: "Sicherheit",
        lockNow: "Jetzt sperren",
        changePIN: "PIN ändern",
        deviceFine: "Die Prüfungen dieses Geräts fanden nichts.",
        deviceFindings: """
            Die Prüfungen dieses Geräts fanden etwas: Holen Sie Rat, bevor Sie weitermachen.
            """,
        device: "Gerät",
        data: "Ihre Daten",
        export: "Alles exportieren",
        exportText: """
            Die Datei liegt unverschlüsselt dort, wo Sie sie speichern: Verwahren Sie sie sicher.
            """,
        exported: "Alles wurde exportiert.",
        exportedWithout: "Exportiert, ausgenommen beschädigte Dokumente: %@",
        notExported: "Die Datei konnte nicht geschrieben werden.",
        formerNotErased: "Die Serveradresse der Version 1 der App konnte nicht gelöscht werden.",
        eraseAll: "Alles löschen",
        eraseAllQuestion: "Alles löschen?",
        eraseAllText: """
            Nächte, Antworten, Dokumente, die Anmeldung und die PIN werden endgültig gelöscht. Sie erhalten eine \
            Quittung.
            """,
        receipt: "Löschquittung",
        receiptText: """
            %@: %@ Nächte, %@ Fragebögen und %@ Dokumente wurden gelöscht; ihre Schlüssel wurden zerstört.
            """,
        receiptRevoked: "Der Server hat die Anmeldung zurückgenommen.",
        receiptLater: """
            Der Server war nicht erreichbar oder nahm die Anmeldung nicht zurück: Sie endet dort von selbst.
            """,
        receiptConsents: "Was Sie zum Text über Ihre Daten gesagt haben, %@ Mal, wurde auch gelöscht.",
        receiptUncounted: "Was nicht mehr zu lesen war, wurde auch gelöscht und steht in keiner Zahl.",
        saveReceipt: "Speichern",
        receiptSaved: "Die Quittung wurde gespeichert.",
        withdraw: "Einwilligung zurücknehmen",
        withdrawQuestion: "Einwilligung zurücknehmen?",
        withdrawText: """
            Das Tagebuch schließt sich, bis Sie wieder zustimmen. Auf der nächsten Seite löscht „Ich stimme nicht zu“ \
            hier alles; exportieren Sie es vorher, wenn Sie es behalten möchten. Was der Server Ihrer Klinik hat, \
            bleibt dort, bis Sie die Klinik fragen.
            """,
        account: "Server",
        accountText: """
            Melden Sie sich am Server Ihrer Klinik an: Ihre Nächte und Dokumente liegen dann auch dort und sind auf \
            allen Ihren Geräten dieselben. Antworten bleiben auf diesem.
            """,
        address: "Adresse (https://…)",
        signIn: "Anmelden",
        signInAgain: "Erneut anmelden",
        signOut: "Abmelden",
        signedInAt: "Angemeldet bei %@",
        sessionEndedAt: "Die Sitzung bei %@ ist beendet.",
        stateUnknown: "Lässt sich gerade nicht sagen.",
        browserOpened: "Weiter geht es im Browser; dieses Fenster wartet.",
        signedIn: "Sie sind angemeldet.",
        signOutQuestion: "Abmelden?",
        signOutText: "Die Anmeldung wird zuerst hier gelöscht, auch ohne Netz. Ihr Tagebuch bleibt.",
        unsentUnknown: "Ob alles davon beim Server ist, lässt sich gerade nicht sagen.",
        signedOut: "Sie sind abgemeldet.",
        checkServer: "Den Server fragen, wer ich bin",
        serverSays: "Der Server kennt Sie als %@.",
        push: "Sagen, wenn ein anderes Gerät das Tagebuch geändert hat",
        pushText: "Die Mitteilung sagt nichts über Ihr Tagebuch.",
        sync: "Andere Geräte",
        syncNow: "Jetzt abgleichen",
        syncDone: "Alle Nächte sind beim Server.",
        syncWaiting: "Nächte, die noch nicht beim Server sind: %@",
        documentsWaiting: "Dokumente, die noch nicht beim Server sind: %@",
        syncResult: "Nächte gesendet: %@, erhalten: %@.",
        documentsResult: "Dokumente gesendet: %@, erhalten: %@.",
        syncUnreadable: "Einträge beim Server, die diese App nicht lesen kann: %@. Sie bleiben dort.",
        syncRefused: "Der Server nimmt nicht an: %@. Sie bleiben hier und werden wieder versucht.",
        syncQuestion: "Viel würde sich ändern. Weitermachen?",
        syncErasesHere: """
            Der Server hat Nächte oder Dokumente verloren, oder ein anderes Gerät hat viele gelöscht. Wenn Sie \
            weitermachen, werden sie auch auf diesem Gerät gelöscht.
            """,
        syncErasesThere: """
            Dokumente, die der Server hat, fehlen auf diesem Gerät. Wenn Sie weitermachen, werden sie auch beim Server \
            und auf Ihren anderen Geräten gelöscht.
            """,
        syncChanges: """
            Der Server ist ein anderer als vorher, oder das meiste lautet dort jetzt anders. Wenn Sie weitermachen, \
            übernimmt dieses Gerät das und sendet, was nur es hat.
            """,
        syncGoOn: "Weitermachen",
        conflicts: "Nächte mit zwei Fassungen",
        conflictsText: "Warten auf Ihre Wahl: %@",
        conflictText: "Zwei Ihrer Geräte haben dieselbe Nacht geändert. Beide Fassungen bleiben, bis Sie eine wählen.",
        conflictCurrent: "Jetzt auf allen Geräten",
        conflictOther: "Die andere Fassung",
        conflictErased: "Die Nacht wurde gelöscht.",
        keepThis: "Diese Fassung behalten",
        keepQuestion: "Diese Fassung behalten?",
        keepText: "Auf allen Ihren Geräten geht dies verloren: %@",
        conflictClosed: "Die Nacht hat wieder eine Fassung.",
        reviewTitle: "Kennen Sie diesen Server?",
        reviewText: "An %@ wurde noch nichts gesendet. Sein Zertifikat lässt sich nicht bestätigen:",
        reviewKey: "Schlüssel (SHA-256)",
        reviewIssuer: "Ausgestellt von",
        reviewNames: "Ausgestellt für",
        reviewMeaning: "Was bedeutet das?",
        reviewMeaningText: """
            Ein Zertifikat zeigt, dass Sie mit dem gemeinten Server sprechen. Ein Zertifikat wie dieses kann \
            jeder herstellen, auch jemand zwischen Ihnen und dem Server. Fragen Sie den Betreiber nach dem \
            Hashwert seines Schlüssels, zum Beispiel am Telefon, und vergleichen Sie jedes Zeichen. Ist eines \
            anders, vertrauen Sie ihm nicht.
            """,
        trust: "Verglichen: vertrauen",
        distrust: "Nicht verbinden",
        notConnected: "Nichts wurde gesendet.",
        reminderTitle: "Schlaftagebuch",
        reminderBody: "%@: Zeit für einen Eintrag",
        pushBody: "Ein anderes Ihrer Geräte wurde benutzt.",
        neutralBody: "Es gibt etwas Neues.",
        isiItems: [
            "Einschlafen",
            "Durchschlafen",
            "Zu frühes Erwachen",
            "Zufriedenheit mit Ihrem Schlaf",
            "Andere bemerken, dass Ihr Schlaf Ihr Leben beeinflusst",
            "Sorge um Ihren Schlaf",
            "Ihr Schlaf stört Sie am Tag",
        ],
        isiOptions: [
            "Keine",
            "Leicht",
            "Mittel",
            "Stark",
            "Sehr stark",
        ],
        phq9Items: [
            "Wenig Interesse oder Freude",
            "Gedrückte Stimmung",
            "Schlafprobleme",
            "Wenig Energie",
            "Appetit",
            "Schlecht von sich selbst denken",
            "Konzentration",
            "Verlangsamung oder Unruhe",
            "Gedanken, lieber tot zu sein oder sich Leid zuzufügen",
        ],
        phq9Options: [
            "Überhaupt nicht",
            "An einzelnen Tagen",
            "An mehr als der Hälfte der Tage",
            "Beinahe jeden Tag",
        ],
        severities: [
            .notSignificant: "keine klinisch bedeutsame Insomnie",
            .subthreshold: "unterschwellige Insomnie",
            .moderate: "mittelgradig",
            .severe: "schwer",
            .minimal: "minimal",
            .mild: "leicht",
            .moderatelySevere: "mittelschwer",
        ],
        failures: [
            .blocked: "Sein Schlüssel steht auf der Liste gebrochener Schlüssel.",
            .revoked: "Seine Zertifizierungsstelle hat es widerrufen.",
            .weakKey: "Sein Schlüssel ist zu schwach.",
            .weakSignature: "Seine Signatur ist fälschbar.",
            .denied: "Die Administration verbietet es.",
            .pinMismatch: "Es ist nicht der Schlüssel, den diese App erwartet.",
            .notCompliant: "Es verstößt gegen die Regeln für Zertifikate.",
            .notTransparent: "Es steht in keinem öffentlichen Verzeichnis.",
            .revocationUnknown: "Niemand konnte sagen, ob es widerrufen wurde.",
            .unknownAuthority: "Keine Stelle, der dieses Gerät vertraut, hat es ausgestellt.",
            .selfSigned: "Der Server hat es selbst unterschrieben.",
            .wrongPurpose: "Es ist nicht für Server gemacht.",
            .wrongHost: "Es ist für einen anderen Server gemacht.",
            .expired: "Seine Zeit ist abgelaufen.",
            .notYetValid: "Seine Zeit hat noch nicht begonnen.",
            .keyChanged: "Sein Schlüssel ist ein anderer als zuvor.",
        ])
}
