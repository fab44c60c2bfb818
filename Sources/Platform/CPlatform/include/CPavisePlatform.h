// What Swift cannot import from the C library. One function, one comment, one errno.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Fills `count` bytes from the kernel's random generator. Blocks only before the pool is first seeded.
/// Returns 0, or the errno of getrandom(2).
int pavise_random(void *bytes, size_t count);

/// Forbids core files and tracing by other processes of the same user (PR_SET_DUMPABLE 0); on Apple's systems
/// core files alone. Returns 0 or errno.
int pavise_forbid_core_files(void);

/// Whether core files and tracing by other processes of the same user are allowed (PR_GET_DUMPABLE; on Apple's systems the
/// limit of core files): 1 or 0, or -errno.
int pavise_allows_core_files(void);

/// The value of a variable of the environment; NULL where it is not set, and in a process that has more rights than the one that
/// started it (secure_getenv(3)).
const char *pavise_trusted_variable(const char *name);

/// Opens a file; `open` is variadic. Returns a descriptor, or -errno.
int pavise_open(const char *path, int flags, unsigned int mode);

/// Makes the file `name` in an open folder, for writing; nothing may be there. Returns a descriptor, or -errno.
int pavise_create_at(int folder, const char *name, unsigned mode);

/// Renames within or between open folders where nothing may have the new name. Returns 0, or -errno.
int pavise_rename_new(int folder, const char *name, int other, const char *target);

/// Lets two names of an open folder exchange what they stand for. Returns 0, or -errno; -EINVAL where the file system cannot.
int pavise_exchange(int folder, const char *name, const char *other);

/// Waits until all that was written to the file system of an open folder is on the disk. Returns 0, or -errno.
int pavise_synchronise_all(int folder);

/// Linux' inotify: a descriptor, or -errno. Apple's systems have none: -ENOSYS.
int pavise_changes_open(void);

/// Watches the folder `path` for names and contents that change. Returns 0, or -errno.
int pavise_changes_add(int changes, const char *path);

/// Opens `name` in an open folder; `openat` is variadic. Returns a descriptor, or -errno.
int pavise_open_at(int folder, const char *name, int flags);

/// Whether an open folder is the root of a mount, also of a bind mount of the same file system (Linux 5.8); glibc's module leaves
/// statx(2) out. 1 when the kernel does not say.
int pavise_is_mount_point(int folder);

/// What the kernel granted for pages of secrets.
enum { pavise_pages_locked = 1, pavise_pages_not_dumped = 2, pavise_pages_not_forked = 4 };

/// Maps `count` bytes of zeros, a multiple of the page size, for secrets. Asks for three things and goes on without those that
/// are refused: the pages stay in memory (mlock2, where it is wanted), out of core files (MADV_DONTDUMP), and out of children that fork
/// (MADV_DONTFORK: a child that reads them ends, and never takes zeros for a key). Writes into `granted` what was granted.
/// Returns NULL where there is no memory.
void *pavise_secret_pages(size_t count, int wants_lock, int *granted);

/// Gives back what pavise_secret_pages mapped.
void pavise_secret_pages_free(void *pages, size_t count);

/// fcntl with an int argument; variadic. Returns the result, or -errno.
int pavise_fcntl_int(int descriptor, int command, int value);

/// Accepts a connection, close-on-exec from the start; accept4 needs _GNU_SOURCE. Returns a descriptor, or -1 with errno set.
int pavise_accept(int listener);

/// Gives the signals of a crash their default action again. The Swift runtime catches them to print a report, and with it
/// the memory that the registers point to.
void pavise_forbid_crash_reports(void);

/// Stops a terminal from showing what is typed. A signal that ends the process meanwhile shows it again first; the key that
/// stops a program (SIGTSTP) is ignored. One terminal at a time. Returns 0 or errno; EBUSY during another question.
int pavise_terminal_hide(int descriptor);

/// Ends what pavise_terminal_hide began, and drops what was typed and not read.
void pavise_terminal_show(void);

/// Shows content on a terminal that must not stay there: writes `enter_bytes`, and gives each key as it is typed. A signal that ends
/// the process, or a trap, writes `leave_bytes` first; so does one that stops it (SIGTSTP), and `enter_bytes` when it goes on. At
/// most 64 bytes each. `forgets_typed` drops what was typed before. One screen at a time. Returns 0 or errno; EBUSY during another.
int pavise_screen_begin(
    int descriptor, const uint8_t *enter_bytes, size_t entering, const uint8_t *leave_bytes, size_t leaving, int forgets_typed);

/// Writes to the screen that was begun, but not while the process leaves it.
void pavise_screen_write(const uint8_t *bytes, size_t count);

/// What pavise_screen_wait waits for.
enum { pavise_screen_typed = 1, pavise_screen_continued = 2 };

/// Waits until something can be read from the terminal, its end too, or the process went on after a stop. Returns which, or -errno.
int pavise_screen_wait(void);

/// Whether something can be read from the terminal within `milliseconds`.
int pavise_screen_has_more(int milliseconds);

/// The rows and columns of a terminal. Returns 0 or errno.
int pavise_screen_size(int descriptor, int *rows, int *columns);

/// Ends what pavise_screen_begin began: writes its `leave_bytes`, and drops what was typed and not read.
void pavise_screen_end(void);

/// What a socket is ready for; the same bits say what to wait for.
enum { pavise_ready_read = 1, pavise_ready_write = 2, pavise_ready_error = 4 };

/// One answer of pavise_poll_wait: the key given to pavise_poll_set and what is ready.
struct pavise_ready { uint64_t key; uint32_t what; };

/// Makes a set of sockets to wait for (epoll). Returns a descriptor, or -errno; -ENOSYS where there is no epoll.
int pavise_poll_create(void);

/// Watches `descriptor` for `what` under `key`; 0 forgets it. `is_new` is a guess that saves a call. Returns 0, or -errno.
int pavise_poll_set(int poll, int descriptor, uint32_t what, uint64_t key, int is_new);

/// Waits at most `milliseconds` (-1: for ever). Returns how many answers were written, 0 also after a signal, or -errno.
int pavise_poll_wait(int poll, struct pavise_ready *answers, int count, int milliseconds);

/// Makes a counter that wakes a waiting set (eventfd). Returns a descriptor, or -errno.
int pavise_wakeup_create(void);

/// Lets a write beyond the file-size limit fail with EFBIG; by default SIGXFSZ ends the process.
void pavise_report_file_size_limit(void);

/// A pipe into which each signal of `pavise_stop_at` writes a byte: its reading end, or -errno.
int pavise_stop_watch(void);
/// From now on the signal ends nothing and writes a byte instead; after `pavise_stop_watch`. One that is ignored stays so,
/// unless `even_ignored`. 0, or -errno.
int pavise_stop_at(int number, int even_ignored);

/// Waits at most `nanoseconds` for one socket, outside of any poll set, and no longer than until `wakeup` is written.
/// Returns what the socket is ready for, 0 when the time is over or the wakeup came, or -errno.
int pavise_wait_for_socket(int socket, uint32_t what, int wakeup, long nanoseconds);

/// The user's keyring of the kernel (keyrings(7)); glibc has no functions for it. -ENOSYS where there is none. Adds a
/// key of `count` bytes under a name, in place of an older one, for `seconds`: for all processes of the user, or for
/// those of this session alone. Returns its number, or -errno; ENOKEY where the session shares the user's keyring.
int32_t pavise_keyring_add(const char *name, const void *bytes, size_t count, unsigned int seconds, int is_session);

/// Finds a key by its name. Returns its number, or -errno: ENOKEY, EKEYEXPIRED, EKEYREVOKED, EACCES.
int32_t pavise_keyring_find(const char *name, int is_session);

/// Reads at most `count` bytes of a key. Returns its whole length, or -errno.
long pavise_keyring_read(int32_t key, void *bytes, size_t count);

/// Lets a key vanish after `seconds`. Returns 0, or -errno.
int pavise_keyring_expire(int32_t key, unsigned int seconds);

/// Removes a key at once, for everybody. Returns 0, or -errno.
int pavise_keyring_invalidate(int32_t key);

/// Makes a key useless: whoever finds it is told so. Returns 0, or -errno.
int pavise_keyring_revoke(int32_t key);

/// Gives the calling thread a new session keyring of its own. Returns its number, or -errno.
int32_t pavise_keyring_join_session(void);

/// Lets the kernel tell when links, addresses and routes of this machine change (rtnetlink(7)). Returns a socket that never blocks,
/// or -errno; -ENOSYS where there is no netlink.
int pavise_network_watch(void);

/// Reads one message of pavise_network_watch into at most `count` bytes. Returns its whole length, 0 for one that is not the
/// kernel's, or -errno: EAGAIN when there is no more, ENOBUFS when some were lost.
long pavise_network_read(int watch, void *bytes, size_t count);

/// Lets the kernel tell when the wall clock jumps: it was set, or the machine woke from sleep (timerfd_create(2),
/// TFD_TIMER_CANCEL_ON_SET). Returns a descriptor that never blocks, or -errno; -ENOSYS where there is no such timer.
int pavise_clock_watch(void);

/// Whether the wall clock jumped since the last call, and waits for the next jump: 1 or 0, or -errno.
int pavise_clock_jumped(int watch);

/// A run of addresses that the loader mapped as code of a program or a library.
struct pavise_code_range { uint64_t start, end; };

/// Where the code lies that the loader of this process knows of (dl_iterate_phdr(3)). Fills at most `room` ranges and returns how
/// many there are, or -ENOSYS. Libraries of another namespace (LD_AUDIT) are not among them.
long pavise_code_ranges(struct pavise_code_range *ranges, size_t room);

/// Whether the kernel started this process with more rights than the one that started it (AT_SECURE, getauxval(3)): 1 or 0.
int pavise_has_raised_rights(void);

/// Makes a socket for datagrams to local services that never waits (unix(7)). Returns a descriptor, or -errno.
int pavise_datagram_socket(void);

/// Sends one datagram to the service at `path`. Returns 0, or errno: EAGAIN when the service does not keep up, EMSGSIZE when it is
/// too large.
int pavise_datagram_send(int descriptor, const char *path, const void *bytes, size_t count);

/// The same with the bytes in a sealed file in memory (memfd_create(2)), whose descriptor is sent. Returns 0, or errno; ENOSYS where
/// there are no such files.
int pavise_datagram_send_file(int descriptor, const char *path, const void *bytes, size_t count);

/// Writes at most PIPE_BUF bytes if the reader takes them at once. Returns 0, or errno: EAGAIN when it does not keep up, EPIPE when
/// it is gone. The caller ignores SIGPIPE, or ends by it like every other program.
int pavise_write_without_waiting(int descriptor, const void *bytes, size_t count);

/// Lets a child that is started with `actions` (a posix_spawn_file_actions_t) inherit nothing above its standard error; glibc
/// declares the function for _GNU_SOURCE alone. Returns 0 or errno; ENOSYS on Apple's systems, which have an attribute for it.
int pavise_spawn_closes_others(void *actions);

/// How much a confined program may use: bytes of address space, seconds of processor time.
struct pavise_bounds { uint64_t memory, seconds; };

/// What confines a program: a seccomp filter (seccomp(2)), Landlock (landlock(7)), namespaces of its own with a root in which
/// nothing lies but what it may read (namespaces(7)), and that no right is gained (PR_SET_NO_NEW_PRIVS).
enum { pavise_filter = 1, pavise_landlock = 2, pavise_namespaces = 4, pavise_no_rights = 8 };

/// What must hold before a confined program starts: no network; no file but those that it may read, and none that is written; no
/// other process and no key of the user; no right that is gained.
enum { pavise_network = 1, pavise_files = 2, pavise_processes = 4, pavise_rights = 8 };

/// The exit status of a child that was not started, with the bits of what it could still do. None: it did not come to try.
enum { pavise_not_confined = 0xC0 };

/// The bytes that the name of a root takes, with its end.
enum { pavise_root_room = 32 };

/// The layers that this machine's kernel offers, without a proof that they hold. Blocks for a moment.
unsigned pavise_confinement(void);

/// Makes a folder that can become the root of a program that reads what is below the paths of `readable`, which ends with NULL: a
/// place for each of them, all empty. `root` has room for pavise_root_room bytes. Returns 0, or errno; `root` is empty then.
int pavise_make_root(char *root, const char *const *readable);

/// Removes it, when the program has ended. Does nothing for an empty name.
void pavise_remove_root(const char *root, const char *const *readable);

/// Starts the program at `path` with `words`, `input` as its standard input and `output` as its standard output, and nothing
/// else that is open, in those of `layers` that the kernel gives. Before it the child tries whether it has a network, files, other
/// processes or rights; where one is left, it ends with pavise_not_confined and starts nothing. Of files it can read those below
/// the paths of `readable`, which ends with NULL; `root` is a folder of pavise_make_root for them, or an empty name. It ends with
/// this process's thread. Returns its number, or -errno.
int pavise_start_confined(const char *path, char *const *words, const char *const *readable, const char *root, int input,
                          int output, struct pavise_bounds bounds, unsigned layers);

/// A file in memory that holds `bytes` and never changes (memfd_create(2), sealed), read from its start. Returns a descriptor, or
/// -errno; -ENOSYS where there are no such files.
int pavise_memory_file(const void *bytes, size_t count);

/// Shows a notice through the desktop's daemon (freedesktop.org's Desktop Notifications Specification 1.2) on the bus at `address`,
/// `NULL` for the person's own. `marked` is the body for a daemon that reads markup. Returns 0 and the notice's number, or errno:
/// ENOSYS without libsystemd.
int pavise_notify(const char *address, const char *app, const char *title, const char *body, const char *marked, uint32_t *number);

/// Takes a notice back. Returns 0, or errno.
int pavise_notify_close(const char *address, uint32_t number);

/// A signal that came to a watch of systemd-logind, until the next one is asked for.
struct pavise_login_signal {
    /// The unique name of who sent it, on which object, of which interface, and what it is.
    const char *sender, *path, *interface, *member;
    /// Of `PrepareForSleep` and of a changed `LockedHint`: 1 or 0; -1 where it says neither.
    int flag;
};

/// Listens to systemd-logind (org.freedesktop.login1(5)) on the bus at `address`, `NULL` for the machine's: sleep, and the session of
/// this process or of the person's screen. Blocks for some seconds at most. Returns the watch, or `NULL` and errno in `code`: ENOSYS
/// without libsystemd.
void *pavise_login_open(const char *address, int *code);

/// What to wait at for reading.
int pavise_login_descriptor(void *watch);

/// The unique name that systemd-logind has on the bus now.
const char *pavise_login_owner(void *watch);

/// The object of the session; empty where there is none.
const char *pavise_login_session(void *watch);

/// Whether the session's screen was locked when the watch began: 1, or 0, also where nobody says it.
int pavise_login_locked(void *watch);

/// The next signal: 1; 0 where none is there yet, -errno where the bus is gone. Anybody on the bus can send one: compare the sender.
int pavise_login_next(void *watch, struct pavise_login_signal *signal);

/// Ends a watch.
void pavise_login_close(void *watch);

/// The A-labels (`xn--`) of a host name in UTF-8, with its end, into `room` bytes (UTS 46, by libidn2). Returns 0, or errno: EINVAL for
/// what is no host name, ENOSYS without the library.
int pavise_name_ascii(const char *name, char *ascii, size_t room);

/// Opens the Public Suffix List: the machine's or libpsl's own, whichever is newer, or with a path a list's text. `NULL` when libpsl is
/// not there, or the file is no list.
void *pavise_suffixes_open(const char *path);

/// Gives back what pavise_suffixes_open returned.
void pavise_suffixes_close(void *list);

/// Whether a name in lower case, its labels as RFC 5890's A-labels, is a suffix of the list's first section (ICANN): 1 or 0.
int pavise_suffixes_contain(const void *list, const char *name);

/// The version of libpsl, while a list is open.
const char *pavise_suffixes_version(void);

/// When the file or folder `name` in `folder` was made, in nanoseconds since 1970 (statx(2), STATX_BTIME; stat(2) of Apple's systems);
/// with an empty name, the open file itself. -1 where the kernel or the file system does not say. A link is itself.
int64_t pavise_birth_time(int folder, const char *name);
