// Declarations of ours; see darwin.h.
// Pages: man 2 minherit.
#pragma once
#include "../_types.h"
typedef unsigned int vm_inherit_t;
#define VM_INHERIT_SHARE ((vm_inherit_t)0)
#define VM_INHERIT_COPY ((vm_inherit_t)1)
#define VM_INHERIT_NONE ((vm_inherit_t)2)
