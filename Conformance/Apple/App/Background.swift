// What an app on iOS does so that its folder is the same while it is not in front.
#if os(iOS)
import PaviseSync

/// Before the app has finished launching.
func prepareBackground(_ notes: FolderSync) throws(SyncFailure) {
    BackgroundSync.register("org.example.notes.sync", every: .seconds(1_800)) { await notes.run().isComplete }
    try BackgroundSync.schedule("org.example.notes.sync", after: .seconds(1_800))
}
#endif
