// Declarations of ours; see darwin.h.
#pragma once
#include "../_types.h"
