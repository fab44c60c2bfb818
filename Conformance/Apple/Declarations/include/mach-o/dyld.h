// Declarations of ours; see darwin.h.
// Pages: man 3 dyld.
#pragma once
#include "../_types.h"
uint32_t _dyld_image_count(void);
const char *_Nullable _dyld_get_image_name(uint32_t index);
int _NSGetExecutablePath(char *buffer, uint32_t *size);
