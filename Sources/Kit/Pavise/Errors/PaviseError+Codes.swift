extension PaviseError.Code {
    /// The app lock is closed.
    public static let appLocked = Self(rawValue: "appLocked")
    /// The keychain or the device is locked.
    public static let deviceLocked = Self(rawValue: "deviceLocked")
    /// Nobody is signed in.
    public static let signedOut = Self(rawValue: "signedOut")
    /// The session ended; only signing in again helps.
    public static let signInNeeded = Self(rawValue: "signInNeeded")
    /// The sign-in came to nothing: refused, given up, too late.
    public static let signInFailed = Self(rawValue: "signInFailed")
    /// Another person signed in than before.
    public static let otherUser = Self(rawValue: "otherUser")
    /// The server refuses the user name and password.
    public static let wrongPassword = Self(rawValue: "wrongPassword")
    /// A certificate is refused, and nobody may approve it.
    public static let certificateRefused = Self(rawValue: "certificateRefused")
    /// A certificate needs a person's word.
    public static let approvalNeeded = Self(rawValue: "approvalNeeded")
    /// The authority's metadata names servers that nobody has agreed to; see ``ReviewedServer/others``.
    public static let consentNeeded = Self(rawValue: "consentNeeded")
    /// The connection to the server is not safe enough: plain http, old TLS, App Transport Security.
    public static let unsafeConnection = Self(rawValue: "unsafeConnection")
    /// The server offers a weaker sign-in than before.
    public static let weakerSignIn = Self(rawValue: "weakerSignIn")
    /// Something did not come from the server or authority that it claims to come from.
    public static let forged = Self(rawValue: "forged")
    /// An administrator forbids it.
    public static let managed = Self(rawValue: "managed")
    /// The administrator's configuration cannot be used, so that nothing is sent.
    public static let managedUnusable = Self(rawValue: "managedUnusable")
    /// The server cannot be reached.
    public static let network = Self(rawValue: "network")
    /// The server answers with an error, or with something that is no answer.
    public static let server = Self(rawValue: "server")
    /// The server says that there is no such thing (404, 410).
    public static let notFound = Self(rawValue: "notFound")
    /// The server does not allow it to this person (403).
    public static let forbidden = Self(rawValue: "forbidden")
    /// The answer is larger than it may be.
    public static let tooLarge = Self(rawValue: "tooLarge")
    /// The credential does not belong to this address; nothing was sent.
    public static let foreignAddress = Self(rawValue: "foreignAddress")
    /// The address, name, request or setting cannot be used.
    public static let invalidInput = Self(rawValue: "invalidInput")
    /// There is no account of this name.
    public static let unknownName = Self(rawValue: "unknownName")
    /// There is another account of this name.
    public static let nameTaken = Self(rawValue: "nameTaken")
    /// The PIN or passphrase is wrong.
    public static let wrongPIN = Self(rawValue: "wrongPIN")
    /// Too many wrong PINs; later.
    public static let tryLater = Self(rawValue: "tryLater")
    /// Too many wrong PINs: everything was wiped.
    public static let wiped = Self(rawValue: "wiped")
    /// The PIN or passphrase may not be chosen: too short, too simple.
    public static let weakPIN = Self(rawValue: "weakPIN")
    /// There is no PIN.
    public static let noPIN = Self(rawValue: "noPIN")
    /// There is a PIN already.
    public static let pinAlreadySet = Self(rawValue: "pinAlreadySet")
    /// What was kept is damaged, was altered, or is an older copy.
    public static let damaged = Self(rawValue: "damaged")
    /// The system refuses access: owner, mode, entitlement.
    public static let denied = Self(rawValue: "denied")
    /// A later version of the app wrote it.
    public static let newerVersion = Self(rawValue: "newerVersion")
    /// There is no file or database of this name.
    public static let notThere = Self(rawValue: "notThere")
    /// The server wants a stronger or more recent sign-in for this (RFC 9470).
    public static let strongerSignInNeeded = Self(rawValue: "strongerSignInNeeded")
    /// The checks of this device found something, and the app's policy opens nothing then.
    public static let deviceFindings = Self(rawValue: "deviceFindings")
    /// The client identity cannot be shown: it is not there, or its key is lost.
    public static let identityUnusable = Self(rawValue: "identityUnusable")
    /// The disk is full.
    public static let diskFull = Self(rawValue: "diskFull")
    /// The disk or the keychain failed.
    public static let storage = Self(rawValue: "storage")
    /// Another process, or another call, is at it.
    public static let busy = Self(rawValue: "busy")
    /// It was cancelled.
    public static let cancelled = Self(rawValue: "cancelled")
    /// Something that has no code yet.
    public static let unknown = Self(rawValue: "unknown")

    /// Every code of this version.
    public static let all: [PaviseError.Code] = [
        .appLocked, .deviceLocked, .signedOut, .signInNeeded, .signInFailed, .otherUser, .wrongPassword,
        .certificateRefused,
        .approvalNeeded, .unsafeConnection, .weakerSignIn, .forged, .managed, .managedUnusable, .network, .server,
        .notFound,
        .forbidden, .tooLarge, .foreignAddress, .invalidInput, .unknownName, .nameTaken, .wrongPIN, .tryLater, .wiped,
        .weakPIN,
        .noPIN, .pinAlreadySet, .damaged, .newerVersion, .notThere, .strongerSignInNeeded, .denied, .diskFull, .storage,
        .busy, .cancelled, .deviceFindings, .identityUnusable, .consentNeeded, .unknown,
    ]
}
