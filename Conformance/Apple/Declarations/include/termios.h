// Declarations of ours; see darwin.h.
// Pages: man 3 and the name (tcgetattr(3)), man 4 termios, man 4 tty.
#pragma once
#include "_types.h"
typedef unsigned long tcflag_t;
typedef unsigned long speed_t;
typedef unsigned char cc_t;
struct termios { tcflag_t c_iflag, c_oflag, c_cflag, c_lflag; cc_t c_cc[20]; speed_t c_ispeed, c_ospeed; };
#define ECHO 0x00000008
#define ECHONL 0x00000010
#define ICANON 0x00000100
#define VMIN 16
#define VTIME 17
#define TCSANOW 0
#define TCSADRAIN 1
#define TCSAFLUSH 2
#define TCIFLUSH 1
int tcgetattr(int descriptor, struct termios *settings);
int tcsetattr(int descriptor, int when, const struct termios *settings);
int tcflush(int descriptor, int queue);
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };
#define TIOCGWINSZ 0x40087468
int ioctl(int descriptor, unsigned long request, ...);
