// Declarations of ours; see darwin.h.
#pragma once
#include "sys/resource.h"
