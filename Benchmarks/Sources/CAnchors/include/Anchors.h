// Loaded before libcurl by the dynamic linker (LD_PRELOAD), for the URLSession peer only.
#pragma once
