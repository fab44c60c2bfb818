#pragma once
#include "../MacTypes.h"
