// Declarations of ours; see darwin.h.
#pragma once
#include "stdlib.h"
