#include "CPavisePlatform.h"
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <termios.h>

// One terminal, one question at a time. The handler reads what was written before it was installed, and no more.
static struct termios shown;
static int hidden_descriptor;
static atomic_flag is_hidden = ATOMIC_FLAG_INIT;

enum { ending_count = 4 };
static const int ending[ending_count] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static struct sigaction ending_before[ending_count];
static struct sigaction stop_before;

// Shows what is typed again, then lets the signal do what it would have done: SA_RESETHAND has put its default back.
static void show_and_end(int number) {
    int saved = errno;
    tcsetattr(hidden_descriptor, TCSANOW, &shown);
    raise(number);
    errno = saved;
}

int pavise_terminal_hide(int descriptor) {
    if (atomic_flag_test_and_set(&is_hidden)) return EBUSY;
    if (tcgetattr(descriptor, &shown) != 0) {
        atomic_flag_clear(&is_hidden);
        return errno;
    }
    hidden_descriptor = descriptor;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = show_and_end;
    action.sa_flags = (int)SA_RESETHAND;
    for (int i = 0; i < ending_count; i++) {
        sigaction(ending[i], NULL, &ending_before[i]);
        if (ending_before[i].sa_handler == SIG_DFL) sigaction(ending[i], &action, NULL);
    }
    // A stopped program would leave the terminal silent for its shell, and show the rest of the secret when it goes on.
    action.sa_handler = SIG_IGN;
    action.sa_flags = 0;
    sigaction(SIGTSTP, &action, &stop_before);
    struct termios silent = shown;
    silent.c_lflag &= ~(tcflag_t)ECHO;
    if (tcsetattr(descriptor, TCSAFLUSH, &silent) == 0) return 0;
    int code = errno;
    pavise_terminal_show();
    return code;
}

void pavise_terminal_show(void) {
    tcsetattr(hidden_descriptor, TCSAFLUSH, &shown);
    for (int i = 0; i < ending_count; i++) {
        if (ending_before[i].sa_handler == SIG_DFL) sigaction(ending[i], &ending_before[i], NULL);
    }
    sigaction(SIGTSTP, &stop_before, NULL);
    atomic_flag_clear(&is_hidden);
}
