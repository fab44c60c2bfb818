// Declarations of ours; see darwin.h.
#pragma once
#include "../time.h"
