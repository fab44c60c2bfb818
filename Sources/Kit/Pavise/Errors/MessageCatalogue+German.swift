/// The texts in German.
extension MessageCatalogue {
    static let german: [String: String] = [
        "error.appLocked.title": "Gesperrt",
        "error.appLocked.message": "Die App ist gesperrt. Entsperren Sie sie, um fortzufahren.",
        "error.deviceLocked.title": "Gerät gesperrt",
        "error.deviceLocked.message":
            "Das Gerät ist gesperrt. Entsperren Sie es und versuchen Sie es erneut; nichts wurde geändert.",
        "error.signedOut.title": "Nicht angemeldet",
        "error.signedOut.message": "Niemand ist angemeldet. Melden Sie sich zuerst an.",
        "error.signInNeeded.title": "Neu anmelden",
        "error.signInNeeded.message":
            "Ihre Sitzung ist beendet. Melden Sie sich erneut an; Ihre Daten auf diesem Gerät sind erhalten.",
        "error.signInFailed.title": "Anmeldung fehlgeschlagen",
        "error.signInFailed.message":
            "Die Anmeldung ist nicht gelungen. Niemand wurde angemeldet; versuchen Sie es erneut.",
        "error.otherUser.title": "Andere Person",
        "error.otherUser.message":
            "Es hat sich eine andere Person angemeldet als zuvor. Entfernen Sie zuerst das Konto, oder melden Sie "
            + "sich als dieselbe Person an.",
        "error.wrongPassword.title": "Falsches Passwort",
        "error.wrongPassword.message": "Der Server lehnt Benutzername und Passwort ab. Nichts wurde gespeichert.",
        "error.certificateRefused.title": "Server nicht vertrauenswürdig",
        "error.certificateRefused.message":
            "Die Identität des Servers lässt sich nicht bestätigen. Nichts wurde gesendet. Fragen Sie den "
            + "Betreiber des Servers.",
        "error.approvalNeeded.title": "Zertifikat prüfen",
        "error.approvalNeeded.message":
            "Der Server zeigt ein Zertifikat, dem nicht vertraut wird. Vergleichen Sie es mit den Angaben des "
            + "Betreibers, bevor Sie es annehmen.",
        "error.unsafeConnection.title": "Verbindung nicht sicher",
        "error.unsafeConnection.message": "Die Verbindung zum Server ist nicht sicher genug. Nichts wurde gesendet.",
        "error.weakerSignIn.title": "Schwächere Anmeldung",
        "error.weakerSignIn.message":
            "Der Server bietet eine schwächere Anmeldung an als zuvor. Das kann ein Angriff sein; fragen Sie den "
            + "Betreiber des Servers.",
        "error.forged.title": "Unerwartete Antwort",
        "error.forged.message":
            "Eine Antwort kam nicht von dort, woher sie zu kommen vorgibt. Niemand wurde angemeldet. Das kann ein "
            + "Angriff sein.",
        "error.managed.title": "Nicht erlaubt",
        "error.managed.message": "Ihre Administration erlaubt dies nicht. Nichts wurde gesendet.",
        "error.managedUnusable.title": "Konfiguration unbrauchbar",
        "error.managedUnusable.message":
            "Die Konfiguration Ihrer Administration ist unbrauchbar. Ohne sie wird nichts gesendet; wenden Sie "
            + "sich an Ihre Administration.",
        "error.network.title": "Keine Verbindung",
        "error.network.message":
            "Der Server ist nicht erreichbar. Sie bleiben angemeldet; versuchen Sie es später erneut.",
        "error.server.title": "Störung am Server",
        "error.server.message": "Der Server hat mit einem Fehler geantwortet. Versuchen Sie es später erneut.",
        "error.notFound.title": "Nicht gefunden",
        "error.notFound.message": "Der Server hat dies nicht.",
        "error.forbidden.title": "Keine Berechtigung",
        "error.forbidden.message": "Der Server erlaubt Ihnen dies nicht.",
        "error.tooLarge.title": "Zu groß",
        "error.tooLarge.message": "Die Antwort des Servers ist größer als erlaubt.",
        "error.foreignAddress.title": "Anderer Server",
        "error.foreignAddress.message":
            "Diese Adresse gehört zu einem anderen Server. Ihre Zugangsdaten gehen nicht dorthin; nichts wurde "
            + "gesendet.",
        "error.invalidInput.title": "Eingabe prüfen",
        "error.invalidInput.message": "Diese Eingabe ist nicht verwendbar. Prüfen Sie sie.",
        "error.unknownName.title": "Unbekanntes Konto",
        "error.unknownName.message": "Ein Konto dieses Namens gibt es nicht.",
        "error.nameTaken.title": "Name vergeben",
        "error.nameTaken.message": "Ein anderes Konto hat diesen Namen. Wählen Sie einen anderen.",
        "error.wrongPIN.title": "Falsche PIN",
        "error.wrongPIN.message": "Die PIN ist falsch. Der Versuch wurde gezählt.",
        "error.tryLater.title": "Zu viele Versuche",
        "error.tryLater.message": "Es gab zu viele falsche PINs. Dieser Versuch wurde nicht gezählt.",
        "error.wiped.title": "Daten entfernt",
        "error.wiped.message":
            "Es gab zu viele falsche PINs. Die Daten der App wurden entfernt; melden Sie sich neu an.",
        "error.weakPIN.title": "Andere PIN wählen",
        "error.weakPIN.message": "Diese PIN oder Passphrase ist zu kurz, zu lang oder zu leicht zu erraten.",
        "error.noPIN.title": "Keine PIN",
        "error.noPIN.message": "Es ist keine PIN gesetzt.",
        "error.pinAlreadySet.title": "PIN vorhanden",
        "error.pinAlreadySet.message": "Es gibt bereits eine PIN. Ändern Sie sie stattdessen.",
        "error.damaged.title": "Daten beschädigt",
        "error.damaged.message":
            "Die gespeicherten Daten sind beschädigt oder verändert und werden nicht verwendet. Spielen Sie eine "
            + "Sicherung ein, oder bitten Sie um Hilfe.",
        "error.newerVersion.title": "App aktualisieren",
        "error.newerVersion.message":
            "Eine neuere Version dieser App hat es geschrieben. Aktualisieren Sie die App; nichts wurde geändert.",
        "error.notThere.title": "Nicht vorhanden",
        "error.notThere.message": "Auf diesem Gerät gibt es nichts mit diesem Namen.",
        "error.strongerSignInNeeded.title": "Anmeldung bestätigen",
        "error.strongerSignInNeeded.message":
            "Der Server verlangt, dass Sie sich dafür noch einmal oder auf stärkere Weise anmelden.",
        "error.denied.title": "Zugriff verweigert",
        "error.denied.message": "Das System verweigert den Zugriff auf die gespeicherten Daten.",
        "error.diskFull.title": "Speicher voll",
        "error.diskFull.message":
            "Es ist kein Speicherplatz frei. Schaffen Sie Platz und versuchen Sie es erneut; nichts wurde "
            + "geändert.",
        "error.storage.title": "Speichern nicht möglich",
        "error.storage.message": "Das Gerät konnte dies nicht lesen oder speichern. Versuchen Sie es erneut.",
        "error.busy.title": "Beschäftigt",
        "error.busy.message": "Etwas anderes benutzt es gerade. Versuchen Sie es erneut.",
        "error.cancelled.title": "Abgebrochen",
        "error.cancelled.message": "Der Vorgang wurde abgebrochen.",
        "error.consentNeeded.title": "Andere Server",
        "error.consentNeeded.message":
            "Die Anmeldung führt zu Servern, die Sie nicht genannt haben. Sehen Sie die Liste an und stimmen Sie zu, "
            + "wenn Sie sie kennen. Weder Passwort noch Token wurden dorthin gesendet.",
        "error.identityUnusable.title": "Zertifikat fehlt",
        "error.identityUnusable.message":
            "Das Zertifikat, mit dem Sie sich beim Server ausweisen, kann nicht verwendet werden. Es wurde nichts "
            + "gesendet. Fragen Sie Ihre Administration nach einem neuen.",
        "error.deviceFindings.title": "Dieses Gerät könnte verändert worden sein",
        "error.deviceFindings.message":
            "Die App hat Anzeichen gefunden, dass das Gerät oder die App selbst verändert wurde. Was geheim ist, "
            + "bleibt hier verschlossen. Fragen Sie, wer das Gerät betreut.",
        "error.unknown.title": "Etwas ist schiefgelaufen",
        "error.unknown.message": "Etwas Unvorhergesehenes ist geschehen. Bitte melden Sie es.",
        "notice.degraded.network.title": "Nicht aktuell",
        "notice.degraded.network.message": "Der Anmeldeserver ist nicht erreichbar. Sie bleiben angemeldet.",
        "notice.degraded.server.title": "Nicht aktuell",
        "notice.degraded.server.message": "Der Anmeldeserver ist gestört. Sie bleiben angemeldet.",
        "notice.degraded.trust.title": "Server nicht vertrauenswürdig",
        "notice.degraded.trust.message":
            "Das Zertifikat des Anmeldeservers wird abgelehnt. Sie bleiben angemeldet; fragen Sie den Betreiber.",
        "notice.degraded.configuration.title": "Einstellungen falsch",
        "notice.degraded.configuration.message":
            "Der Anmeldeserver lehnt diese App ab. Sie bleiben angemeldet; fragen Sie den Betreiber.",
        "notice.degraded.storage.title": "Speichern nicht möglich",
        "notice.degraded.storage.message": "Die Sitzung kann nicht gespeichert werden. Sie bleiben angemeldet.",
        "notice.endsSoon.title": "Bald neu anmelden",
        "notice.endsSoon.message":
            "Ihr Zugang endet innerhalb eines Tages. Melden Sie sich neu an, wann es Ihnen passt; Ihre Daten auf "
            + "diesem Gerät bleiben erhalten.",
        "notice.ended.lostRotation.title": "Neu anmelden",
        "notice.ended.lostRotation.message":
            "Die Verbindung riss in einem ungünstigen Moment ab. Melden Sie sich erneut an; Ihre Daten auf diesem "
            + "Gerät sind erhalten.",
        "notice.ended.keyLost.title": "Neu anmelden",
        "notice.ended.keyLost.message":
            "Der Schlüssel dieses Geräts ist verloren. Melden Sie sich erneut an; Ihre Daten auf diesem Gerät "
            + "sind erhalten.",
        "notice.ended.invalidGrant.title": "Vom Server abgemeldet",
        "notice.ended.invalidGrant.message":
            "Der Server hat Ihre Sitzung beendet. Melden Sie sich erneut an; Ihre Daten auf diesem Gerät sind "
            + "erhalten.",
        "notice.ended.rejected.title": "Vom Server abgemeldet",
        "notice.ended.rejected.message":
            "Der Server hat Ihre Sitzung mehrfach abgelehnt. Melden Sie sich erneut an; Ihre Daten auf diesem "
            + "Gerät sind erhalten.",
        "notice.ended.absoluteLimit.title": "Zeit für eine neue Anmeldung",
        "notice.ended.absoluteLimit.message":
            "Die längste Dauer einer Sitzung ist vorüber. Melden Sie sich erneut an; Ihre Daten auf diesem Gerät "
            + "sind erhalten.",
        "notice.ended.inactivity.title": "Nach langer Pause abgemeldet",
        "notice.ended.inactivity.message":
            "Die App wurde lange nicht benutzt. Melden Sie sich erneut an; Ihre Daten auf diesem Gerät sind "
            + "erhalten.",
        "notice.ended.revoked.title": "Anderswo abgemeldet",
        "notice.ended.revoked.message":
            "Ihre Sitzung wurde anderswo beendet. Melden Sie sich erneut an; Ihre Daten auf diesem Gerät sind "
            + "erhalten.",
        "notice.ended.identityMismatch.title": "Unerwartete Antwort",
        "notice.ended.identityMismatch.message":
            "Der Server hat für eine andere Person geantwortet. Sie wurden abgemeldet; fragen Sie den Betreiber.",
        "notice.ended.expired.title": "Neu anmelden",
        "notice.ended.expired.message":
            "Ihr Zugang ist abgelaufen. Melden Sie sich erneut an; Ihre Daten auf diesem Gerät sind erhalten.",
        "notice.device.findings.title": "Dieses Gerät könnte verändert worden sein",
        "notice.device.findings.message":
            "Die App hat Anzeichen gefunden, dass das Gerät oder die App selbst verändert wurde. "
            + "Fragen Sie, wer es betreut.",
        "notice.server.renewed.title": "Neues Zertifikat",
        "notice.server.renewed.message": "%@ hat ein neues Zertifikat, dem vertraut wird.",
        "notice.server.notKept.title": "Zertifikat nicht vermerkt",
        "notice.server.notKept.message":
            "Was %@ zeigt, konnte nicht vermerkt werden: die nächste Änderung kann unbemerkt bleiben.",
        "error.leftovers":
            "Was begonnen wurde, ließ sich noch nicht entfernen; das geschieht beim nächsten Start der App.",
        "error.retryIn": "Versuchen Sie es in %@ s erneut.",
    ]
}
