internal import Foundation
public import Pavise

/// All that the app says, in one language: each sentence is a property, so that a translation that is missing does not
/// compile. `%@` marks what is put in; ``fill(_:_:)`` does it.
public struct DiaryPhrases: Sendable {
    /// The sentences of a language.
    public static func of(_ language: MessageLanguage) -> DiaryPhrases {
        language == .german ? .german : .english
    }

    /// A sentence with its values, in their order.
    public static func fill(_ sentence: String, _ values: String...) -> String {
        var parts = sentence.components(separatedBy: "%@")[...]
        var result = parts.popFirst() ?? ""
        for (value, part) in zip(values, parts) { result += value + part }
        return result
    }

    // MARK: The app

    /// The app's name.
    public let appName: String
    /// Leaves a question without doing anything.
    public let cancel: String
    /// Closes a page.
    public let close: String
    /// To the page before.
    public let back: String
    /// Keeps what was typed.
    public let save: String
    /// Erases one thing.
    public let erase: String
    /// Something is being done.
    public let working: String
    /// A title where there is no better one.
    public let failed: String
    /// Ends the app.
    public let quit: String
    /// What the cover says.
    public let coverText: String

    // MARK: PIN and lock

    /// What the field is called.
    public let pin: String
    /// How many digits were typed; `%@` is the number.
    public let digitsTyped: String
    /// A key of the keypad; `%@` is the digit.
    public let digit: String
    /// Takes a digit back.
    public let takeBack: String
    /// Ends the PIN.
    public let enter: String
    /// A title.
    public let choosePIN: String
    /// What a PIN is for.
    public let choosePINText: String
    /// Asks for it again.
    public let repeatPIN: String
    /// Asks for it.
    public let typePIN: String
    /// They do.
    public let pinsDiffer: String
    /// A title.
    public let locked: String
    /// When the PIN is changed.
    public let oldPIN: String
    /// When the PIN is changed.
    public let newPIN: String
    /// It was.
    public let pinChanged: String
    /// A switch.
    public let useBiometrics: String
    /// What it does.
    public let useBiometricsText: String
    /// Opens the lock.
    public let openWithBiometrics: String
    /// Why, in the system's question.
    public let biometricsReason: String
    /// Too many wrong PINs; `%@` is seconds.
    public let waitSeconds: String
    /// `%@` is how many tries are left.
    public let attemptsLeft: String
    /// After too many wrong PINs.
    public let erasedTitle: String
    /// After too many wrong PINs.
    public let erasedText: String
    /// Begins with an empty diary.
    public let beginAnew: String

    // MARK: Consent

    /// A title.
    public let consentTitle: String
    /// What is kept and why.
    public let consentText: String
    /// Yes.
    public let agree: String
    /// No.
    public let disagree: String
    /// After a no.
    public let disagreed: String

    // MARK: Diary

    /// A page.
    public let diary: String
    /// Adds one.
    public let addNight: String
    /// A title of an empty page.
    public let noNights: String
    /// What to do.
    public let noNightsText: String
    /// Below a night; `%@` are two times, sleep and efficiency.
    public let nightLine: String
    /// A title.
    public let night: String
    /// The day.
    public let evening: String
    /// A time.
    public let toBed: String
    /// A time.
    public let up: String
    /// Minutes.
    public let asleepAfter: String
    /// Minutes.
    public let awake: String
    /// Words.
    public let note: String
    /// It was.
    public let nightSaved: String
    /// A question.
    public let eraseNight: String
    /// What it does.
    public let eraseNightText: String
    /// What it does where somebody is signed in.
    public let eraseNightElsewhere: String
    /// What to mend.
    public let wrongDate: String
    /// What to mend.
    public let wrongTime: String
    /// What to mend.
    public let wrongMinutes: String
    /// What to mend.
    public let wrongAwake: String
    /// What to mend.
    public let wrongOrder: String
    /// What to mend.
    public let wrongNote: String

    // MARK: Trends

    /// A page.
    public let trends: String
    /// Name of the chart.
    public let lastNights: String
    /// A part of the chart.
    public let inBed: String
    /// A part of the chart.
    public let asleep: String
    /// A summary; `%@` are nights, time in bed, sleep and efficiency.
    public let trendLine: String
    /// A title.
    public let weeks: String
    /// A title.
    public let months: String
    /// A week; `%@` are its number and the year.
    public let weekOf: String
    /// An empty chart.
    public let noTrend: String

    // MARK: Questionnaires

    /// A page.
    public let questionnaires: String
    /// Its name.
    public let isi: String
    /// What it asks.
    public let isiIntro: String
    /// Its name.
    public let phq9: String
    /// What it asks.
    public let phq9Intro: String
    /// Whose words the questions are.
    public let subjectsNote: String
    /// Begins.
    public let answerNow: String
    /// There is no result.
    public let notAnswered: String
    /// `%@` are the item and how many there are.
    public let itemOf: String
    /// Leaves an item out.
    public let skip: String
    /// A title.
    public let resultTitle: String
    /// `%@` are sum and greatest sum.
    public let sumOf: String
    /// `%@` is how many items were left out.
    public let incomplete: String
    /// What a result is not.
    public let noDiagnosis: String
    /// Where help is.
    public let helpTitle: String
    /// Where help is.
    public let helpText: String

    // MARK: Documents

    /// A page.
    public let documents: String
    /// Adds one.
    public let addDocument: String
    /// A title.
    public let noDocuments: String
    /// What it is for.
    public let noDocumentsText: String
    /// A kind that is not shown.
    public let cannotShow: String
    /// What one is called whose name cannot be read.
    public let damagedDocument: String
    /// What it means, and what helps.
    public let damagedDocumentText: String
    /// Opens it in a window of its own.
    public let openDocument: String
    /// The window did not come.
    public let documentNotOpened: String
    /// `%@` is how many parts.
    public let leftOut: String
    /// A title.
    public let links: String
    /// A question.
    public let eraseDocument: String
    /// What it does.
    public let eraseDocumentText: String
    /// What it does where somebody is signed in.
    public let eraseDocumentElsewhere: String
    /// Not taken.
    public let tooLarge: String

    // MARK: Settings

    /// A page.
    public let settings: String
    /// A title.
    public let general: String
    /// A choice.
    public let language: String
    /// A choice.
    public let asSystem: String
    /// A choice.
    public let appearance: String
    /// A choice.
    public let light: String
    /// A choice.
    public let dark: String
    /// A switch.
    public let remind: String
    /// What it does.
    public let remindText: String
    /// A time.
    public let remindAt: String
    /// A title.
    public let security: String
    /// Closes the lock.
    public let lockNow: String
    /// Changes it.
    public let changePIN: String
    /// The checks of the device.
    public let deviceFine: String
    /// The checks of the device.
    public let deviceFindings: String
    /// A row.
    public let device: String
    /// A title.
    public let data: String
    /// Exports.
    public let export: String
    /// A warning.
    public let exportText: String
    /// It was.
    public let exported: String
    /// `%@` is how many documents are not in it.
    public let exportedWithout: String
    /// It was not.
    public let notExported: String
    /// What version 1 of the app kept is still there.
    public let formerNotErased: String
    /// Erases.
    public let eraseAll: String
    /// A question.
    public let eraseAllQuestion: String
    /// What it does.
    public let eraseAllText: String
    /// A title.
    public let receipt: String
    /// `%@` are time, nights, questionnaires and documents.
    public let receiptText: String
    /// The server's half.
    public let receiptRevoked: String
    /// The server's half.
    public let receiptLater: String
    /// `%@` is how often the person said something to the text about their data.
    public let receiptConsents: String
    /// There was more than could be counted.
    public let receiptUncounted: String
    /// A button.
    public let saveReceipt: String
    /// It was.
    public let receiptSaved: String
    /// A row: as easily taken back as given (GDPR Art. 7(3)).
    public let withdraw: String
    /// A question.
    public let withdrawQuestion: String
    /// What it does.
    public let withdrawText: String

    // MARK: Account

    /// A title.
    public let account: String
    /// What it is for.
    public let accountText: String
    /// An address.
    public let address: String
    /// Signs in.
    public let signIn: String
    /// Signs in again.
    public let signInAgain: String
    /// Signs out.
    public let signOut: String
    /// `%@` is the server.
    public let signedInAt: String
    /// `%@` is the server.
    public let sessionEndedAt: String
    /// Nobody can say.
    public let stateUnknown: String
    /// What to do.
    public let browserOpened: String
    /// It worked.
    public let signedIn: String
    /// A question.
    public let signOutQuestion: String
    /// What it does.
    public let signOutText: String
    /// What waits cannot be counted.
    public let unsentUnknown: String
    /// It worked.
    public let signedOut: String
    /// Asks the server.
    public let checkServer: String
    /// `%@` is a name.
    public let serverSays: String
    /// A switch.
    public let push: String
    /// What it does.
    public let pushText: String

    // MARK: Other devices

    /// A title.
    public let sync: String
    /// Brings this device and the server together.
    public let syncNow: String
    /// Nothing waits.
    public let syncDone: String
    /// `%@` is how many.
    public let syncWaiting: String
    /// `%@` is how many.
    public let documentsWaiting: String
    /// `%@` are how many nights were sent and received.
    public let syncResult: String
    /// `%@` are how many documents were sent and received.
    public let documentsResult: String
    /// `%@` is how many.
    public let syncUnreadable: String
    /// `%@` is how many nights and documents.
    public let syncRefused: String
    /// A question.
    public let syncQuestion: String
    /// What a yes does to this device.
    public let syncErasesHere: String
    /// What a yes does to the server.
    public let syncErasesThere: String
    /// What a yes does to what stays.
    public let syncChanges: String
    /// Yes.
    public let syncGoOn: String
    /// A row.
    public let conflicts: String
    /// `%@` is how many.
    public let conflictsText: String
    /// What happened.
    public let conflictText: String
    /// A version.
    public let conflictCurrent: String
    /// A version.
    public let conflictOther: String
    /// A version.
    public let conflictErased: String
    /// Chooses.
    public let keepThis: String
    /// A question.
    public let keepQuestion: String
    /// What it does; `%@` is what goes.
    public let keepText: String
    /// It was.
    public let conflictClosed: String

    // MARK: Certificate review

    /// A question.
    public let reviewTitle: String
    /// `%@` is the server.
    public let reviewText: String
    /// The key's digest.
    public let reviewKey: String
    /// Who issued it.
    public let reviewIssuer: String
    /// What it is for.
    public let reviewNames: String
    /// Explains.
    public let reviewMeaning: String
    /// Explains.
    public let reviewMeaningText: String
    /// Yes.
    public let trust: String
    /// No.
    public let distrust: String
    /// After a no.
    public let notConnected: String

    // MARK: Notices

    /// A notice outside of the window.
    public let reminderTitle: String
    /// A notice outside of the window; `%@` is a time.
    public let reminderBody: String
    /// A notice of another device.
    public let pushBody: String
    /// Any other notice.
    public let neutralBody: String

    // MARK: Lists and tables

    /// The seven subjects of ISI.
    public let isiItems: [String]
    /// Five answers, 0 to 4.
    public let isiOptions: [String]
    /// The nine subjects of PHQ-9.
    public let phq9Items: [String]
    /// Four answers, 0 to 3.
    public let phq9Options: [String]
    let severities: [Questionnaire.Severity: String]
    let failures: [TrustFailure: String]

    /// The words of a notice, by the key of its title or body.
    func notice(_ key: String) -> String {
        switch key {
        case "notice.nights.body": pushBody
        case "notice.neutral.body": neutralBody
        default: reminderTitle
        }
    }

    /// What a sum means.
    public func severity(_ severity: Questionnaire.Severity) -> String { severities[severity] ?? severity.rawValue }

    /// What fails of a certificate.
    public func failure(_ failure: TrustFailure) -> String { failures[failure] ?? failure.rawValue }
}
