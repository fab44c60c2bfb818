/// The texts in English.
extension MessageCatalogue {
    static let english: [String: String] = [
        "error.appLocked.title": "Locked",
        "error.appLocked.message": "The app is locked. Unlock it to go on.",
        "error.deviceLocked.title": "Device locked",
        "error.deviceLocked.message": "The device is locked. Unlock it and try again; nothing was changed.",
        "error.signedOut.title": "Not signed in",
        "error.signedOut.message": "Nobody is signed in. Sign in first.",
        "error.signInNeeded.title": "Sign in again",
        "error.signInNeeded.message": "Your session ended. Sign in again; your data on this device was kept.",
        "error.signInFailed.title": "Sign-in failed",
        "error.signInFailed.message": "The sign-in did not succeed. Nobody was signed in; try again.",
        "error.otherUser.title": "Another user",
        "error.otherUser.message":
            "Another person signed in than before. Remove the account first, or sign in as the same person.",
        "error.wrongPassword.title": "Wrong password",
        "error.wrongPassword.message": "The server refuses this user name and password. Nothing was stored.",
        "error.certificateRefused.title": "Server not trusted",
        "error.certificateRefused.message":
            "The identity of the server cannot be confirmed. Nothing was sent. Ask whoever runs the server.",
        "error.approvalNeeded.title": "Check the certificate",
        "error.approvalNeeded.message":
            "The server shows a certificate that is not trusted. Compare it with what the server's owner says "
            + "before you approve it.",
        "error.unsafeConnection.title": "Connection not safe",
        "error.unsafeConnection.message": "The connection to the server is not safe enough. Nothing was sent.",
        "error.weakerSignIn.title": "Weaker sign-in",
        "error.weakerSignIn.message":
            "The server offers a weaker way to sign in than before. This may be an attack; ask whoever runs the "
            + "server.",
        "error.forged.title": "Unexpected answer",
        "error.forged.message":
            "An answer did not come from where it claims to come from. Nobody was signed in. This may be an "
            + "attack.",
        "error.managed.title": "Not allowed",
        "error.managed.message": "Your administrator does not allow this. Nothing was sent.",
        "error.managedUnusable.title": "Configuration damaged",
        "error.managedUnusable.message":
            "Your administrator's configuration cannot be used. Nothing is sent without it; ask your "
            + "administrator.",
        "error.network.title": "No connection",
        "error.network.message": "The server cannot be reached. You stay signed in; try again later.",
        "error.server.title": "Server out of order",
        "error.server.message": "The server answered with an error. Try again later.",
        "error.notFound.title": "Not found",
        "error.notFound.message": "The server does not have this.",
        "error.forbidden.title": "Not permitted",
        "error.forbidden.message": "The server does not allow this to you.",
        "error.tooLarge.title": "Too large",
        "error.tooLarge.message": "The server's answer is larger than is allowed.",
        "error.foreignAddress.title": "Another server",
        "error.foreignAddress.message":
            "This address belongs to another server. Your credential does not go there; nothing was sent.",
        "error.invalidInput.title": "Check your entry",
        "error.invalidInput.message": "This cannot be used. Check what you typed.",
        "error.unknownName.title": "Unknown account",
        "error.unknownName.message": "There is no account of this name.",
        "error.nameTaken.title": "Name taken",
        "error.nameTaken.message": "There is another account of this name. Choose another name.",
        "error.wrongPIN.title": "Wrong PIN",
        "error.wrongPIN.message": "The PIN is wrong. The attempt was counted.",
        "error.tryLater.title": "Too many attempts",
        "error.tryLater.message": "There were too many wrong PINs. This attempt was not counted.",
        "error.wiped.title": "Data removed",
        "error.wiped.message": "There were too many wrong PINs. What the app kept was removed; sign in again.",
        "error.weakPIN.title": "Choose another PIN",
        "error.weakPIN.message": "This PIN or passphrase is too short, too long or too easy to guess.",
        "error.noPIN.title": "No PIN",
        "error.noPIN.message": "No PIN is set.",
        "error.pinAlreadySet.title": "PIN already set",
        "error.pinAlreadySet.message": "There is a PIN already. Change it instead.",
        "error.damaged.title": "Data damaged",
        "error.damaged.message":
            "What was stored is damaged or was altered, and is not used. Put a backup back, or ask for help.",
        "error.newerVersion.title": "Update the app",
        "error.newerVersion.message": "A later version of this app wrote it. Update the app; nothing was changed.",
        "error.notThere.title": "Not there",
        "error.notThere.message": "There is nothing of this name on this device.",
        "error.strongerSignInNeeded.title": "Confirm who you are",
        "error.strongerSignInNeeded.message":
            "The server wants you to sign in again, or in a stronger way, before it does this.",
        "error.denied.title": "Access denied",
        "error.denied.message": "The system does not allow access to what was stored.",
        "error.diskFull.title": "Disk full",
        "error.diskFull.message": "There is no space left. Free some and try again; nothing was changed.",
        "error.storage.title": "Cannot store",
        "error.storage.message": "The device could not read or store this. Try again.",
        "error.busy.title": "Busy",
        "error.busy.message": "Something else is using it right now. Try again.",
        "error.cancelled.title": "Cancelled",
        "error.cancelled.message": "It was cancelled.",
        "error.consentNeeded.title": "Other servers",
        "error.consentNeeded.message":
            "The sign-in leads to servers that you have not named. Look at the list, and agree if you know them. No "
            + "password or token was sent there.",
        "error.identityUnusable.title": "Certificate missing",
        "error.identityUnusable.message":
            "The certificate that identifies you to the server cannot be used. Nothing was sent. Ask your "
            + "administrator for a new one.",
        "error.deviceFindings.title": "This device may have been changed",
        "error.deviceFindings.message":
            "The app found signs that the device, or the app itself, was changed. What is secret stays closed here. "
            + "Ask whoever looks after the device.",
        "error.unknown.title": "Something went wrong",
        "error.unknown.message": "Something unforeseen happened. Please report it.",
        "notice.degraded.network.title": "Not up to date",
        "notice.degraded.network.message": "The sign-in server cannot be reached. You stay signed in.",
        "notice.degraded.server.title": "Not up to date",
        "notice.degraded.server.message": "The sign-in server is out of order. You stay signed in.",
        "notice.degraded.trust.title": "Server not trusted",
        "notice.degraded.trust.message":
            "The sign-in server's certificate is refused. You stay signed in; ask whoever runs the server.",
        "notice.degraded.configuration.title": "Settings wrong",
        "notice.degraded.configuration.message":
            "The sign-in server refuses this app. You stay signed in; ask whoever runs the server.",
        "notice.degraded.storage.title": "Cannot store",
        "notice.degraded.storage.message": "The session cannot be stored. You stay signed in.",
        "notice.endsSoon.title": "Sign in again soon",
        "notice.endsSoon.message":
            "Your access ends within a day. Sign in again when it suits you; your data on this device is kept.",
        "notice.ended.lostRotation.title": "Sign in again",
        "notice.ended.lostRotation.message":
            "The connection broke at a bad moment. Sign in again; your data on this device was kept.",
        "notice.ended.keyLost.title": "Sign in again",
        "notice.ended.keyLost.message":
            "The key of this device is gone. Sign in again; your data on this device was kept.",
        "notice.ended.invalidGrant.title": "Signed out by the server",
        "notice.ended.invalidGrant.message":
            "The server ended your session. Sign in again; your data on this device was kept.",
        "notice.ended.rejected.title": "Signed out by the server",
        "notice.ended.rejected.message":
            "The server refused your session several times. Sign in again; your data on this device was kept.",
        "notice.ended.absoluteLimit.title": "Time to sign in again",
        "notice.ended.absoluteLimit.message":
            "The longest time of a session has passed. Sign in again; your data on this device was kept.",
        "notice.ended.inactivity.title": "Signed out after a long pause",
        "notice.ended.inactivity.message":
            "The app was not used for a long time. Sign in again; your data on this device was kept.",
        "notice.ended.revoked.title": "Signed out elsewhere",
        "notice.ended.revoked.message":
            "Your session was ended elsewhere. Sign in again; your data on this device was kept.",
        "notice.ended.identityMismatch.title": "Unexpected answer",
        "notice.ended.identityMismatch.message":
            "The server answered for somebody else. You were signed out; ask whoever runs the server.",
        "notice.ended.expired.title": "Sign in again",
        "notice.ended.expired.message": "Your access has ended. Sign in again; your data on this device was kept.",
        "notice.device.findings.title": "This device may have been changed",
        "notice.device.findings.message":
            "The app found signs that the device, or the app itself, was changed. Ask whoever looks after it.",
        "notice.server.renewed.title": "New certificate",
        "notice.server.renewed.message": "%@ has a new certificate, which is trusted.",
        "notice.server.notKept.title": "Certificate not noted",
        "notice.server.notKept.message": "What %@ shows could not be noted: its next change may go unnoticed.",
        "error.leftovers": "What was begun could not be removed yet; that is done when the app starts next.",
        "error.retryIn": "Try again in %@ s.",
    ]
}
