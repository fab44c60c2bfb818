// libargon2, the reference implementation of RFC 9106.
#pragma once
#include <argon2.h>
