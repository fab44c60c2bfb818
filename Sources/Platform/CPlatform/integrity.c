#define _GNU_SOURCE
#include "CPavisePlatform.h"
#include <errno.h>
#if defined(__linux__)
#include <link.h>
#include <sys/auxv.h>

struct collection { struct pavise_code_range *ranges; size_t room, count; };

static int collect(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    struct collection *all = context;
    for (ElfW(Half) index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        if (all->count < all->room) {
            uint64_t start = object->dlpi_addr + part->p_vaddr;
            all->ranges[all->count] = (struct pavise_code_range){start, start + part->p_memsz};
        }
        all->count++;
    }
    return 0;
}

long pavise_code_ranges(struct pavise_code_range *ranges, size_t room) {
    struct collection all = {ranges, room, 0};
    dl_iterate_phdr(collect, &all);
    return (long)all.count;
}

int pavise_has_raised_rights(void) { return getauxval(AT_SECURE) != 0; }
#else
long pavise_code_ranges(struct pavise_code_range *ranges, size_t room) { (void)ranges, (void)room; return -ENOSYS; }
int pavise_has_raised_rights(void) { return 0; }
#endif
