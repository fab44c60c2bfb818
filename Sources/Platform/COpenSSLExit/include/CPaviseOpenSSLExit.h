// OpenSSL stays whole while a process ends. There is nothing to call: it happens when the program is loaded.
#pragma once
