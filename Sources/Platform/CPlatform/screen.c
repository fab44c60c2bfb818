#include "CPavisePlatform.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

// One screen at a time. The handlers read what was written before they were installed, and no more.
enum { sequence_limit = 64, ending_count = 10 };
static int screen;
static int goes_on[2];
static struct termios before, own;
static unsigned char enter[sequence_limit], leave[sequence_limit];
static size_t enter_count, leave_count;
static atomic_flag is_used = ATOMIC_FLAG_INIT;
// Whoever holds it writes to the terminal: nothing is written between leaving the screen and the stop.
static atomic_flag is_writing = ATOMIC_FLAG_INIT;

// What ends the process, a trap of its own among it: content is not left on the screen.
static const int ending[ending_count] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGSEGV, SIGFPE};
static struct sigaction ending_before[ending_count];
static struct sigaction stop_before;

static void write_all(const unsigned char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(screen, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        bytes += written;
        count -= (size_t)written;
    }
}

// A terminal that is held up (Ctrl-S) keeps its writer: who waits for it goes on after two seconds.
static void take_over(void) {
    for (int tries = 0; tries < 400 && atomic_flag_test_and_set(&is_writing); tries++) poll(NULL, 0, 5);
}

static void signals_of_ours(sigset_t *set) {
    sigemptyset(set);
    for (int i = 0; i < ending_count; i++) sigaddset(set, ending[i]);
    sigaddset(set, SIGTSTP);
}

// Leaves the screen, then lets the signal do what it would have done: SA_RESETHAND has put its default back.
static void leave_and_end(int number) {
    int saved = errno;
    take_over();
    write_all(leave, leave_count);
    tcsetattr(screen, TCSANOW, &before);
    raise(number);
    errno = saved;
}

static void leave_and_stop(int number) {
    int saved = errno;
    take_over();
    write_all(leave, leave_count);
    tcsetattr(screen, TCSANOW, &before);
    struct sigaction plain, handling;
    memset(&plain, 0, sizeof plain);
    sigemptyset(&plain.sa_mask);
    plain.sa_handler = SIG_DFL;
    sigaction(number, &plain, &handling);
    sigset_t set, blocked;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_UNBLOCK, &set, &blocked);
    raise(number);  // Stops here until somebody continues it.
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
    sigaction(number, &handling, NULL);
    tcsetattr(screen, TCSANOW, &own);
    write_all(enter, enter_count);
    // Nobody waits for the bytes of a full pipe.
    if (write(goes_on[1], "", 1) < 0) (void)0;
    atomic_flag_clear(&is_writing);
    errno = saved;
}

int pavise_screen_begin(
    int descriptor, const uint8_t *enter_bytes, size_t entering, const uint8_t *leave_bytes, size_t leaving, int forgets_typed) {
    if (entering > sequence_limit || leaving > sequence_limit) return EINVAL;
    if (atomic_flag_test_and_set(&is_used)) return EBUSY;
    if (tcgetattr(descriptor, &before) != 0 || pipe(goes_on) != 0) {
        int code = errno;
        atomic_flag_clear(&is_used);
        return code;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(goes_on[i], F_SETFD, FD_CLOEXEC);
        fcntl(goes_on[i], F_SETFL, O_NONBLOCK);
    }
    screen = descriptor;
    memcpy(enter, enter_bytes, entering);
    memcpy(leave, leave_bytes, leaving);
    enter_count = entering;
    leave_count = leaving;
    own = before;
    // Each key comes as it is typed and is shown by the program; the keys for signals stay.
    own.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    own.c_cc[VMIN] = 1;
    own.c_cc[VTIME] = 0;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    signals_of_ours(&action.sa_mask);
    action.sa_handler = leave_and_end;
    action.sa_flags = (int)SA_RESETHAND;
    for (int i = 0; i < ending_count; i++) {
        sigaction(ending[i], NULL, &ending_before[i]);
        if (ending_before[i].sa_handler == SIG_DFL) sigaction(ending[i], &action, NULL);
    }
    sigaction(SIGTSTP, NULL, &stop_before);
    action.sa_handler = leave_and_stop;
    action.sa_flags = 0;
    if (stop_before.sa_handler == SIG_DFL) sigaction(SIGTSTP, &action, NULL);
    if (tcsetattr(descriptor, forgets_typed ? TCSAFLUSH : TCSADRAIN, &own) != 0) {
        int code = errno;
        pavise_screen_end();
        return code;
    }
    pavise_screen_write(enter, enter_count);
    return 0;
}

void pavise_screen_write(const uint8_t *bytes, size_t count) {
    // A handler on this thread would wait for itself.
    sigset_t set, blocked;
    signals_of_ours(&set);
    pthread_sigmask(SIG_BLOCK, &set, &blocked);
    while (atomic_flag_test_and_set(&is_writing)) poll(NULL, 0, 5);
    write_all(bytes, count);
    atomic_flag_clear(&is_writing);
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
}

int pavise_screen_wait(void) {
    struct pollfd waiting[2] = {{.fd = screen, .events = POLLIN}, {.fd = goes_on[0], .events = POLLIN}};
    while (poll(waiting, 2, -1) < 0) {
        if (errno != EINTR) return -errno;
    }
    unsigned char byte;
    if (waiting[1].revents != 0 && read(goes_on[0], &byte, 1) == 1) return pavise_screen_continued;
    return pavise_screen_typed;
}

int pavise_screen_has_more(int milliseconds) {
    struct pollfd reading = {.fd = screen, .events = POLLIN};
    return poll(&reading, 1, milliseconds) == 1;
}

int pavise_screen_size(int descriptor, int *rows, int *columns) {
    struct winsize size;
    memset(&size, 0, sizeof size);
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return errno;
    *rows = size.ws_row;
    *columns = size.ws_col;
    return 0;
}

void pavise_screen_end(void) {
    pavise_screen_write(leave, leave_count);
    tcsetattr(screen, TCSAFLUSH, &before);
    for (int i = 0; i < ending_count; i++) {
        if (ending_before[i].sa_handler == SIG_DFL) sigaction(ending[i], &ending_before[i], NULL);
    }
    if (stop_before.sa_handler == SIG_DFL) sigaction(SIGTSTP, &stop_before, NULL);
    close(goes_on[0]);
    close(goes_on[1]);
    atomic_flag_clear(&is_used);
}
