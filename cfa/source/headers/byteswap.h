#ifndef __MAGUS_BYTESWAP_H
#define __MAGUS_BYTESWAP_H
#include <stdint.h>
#define bswap_16(x) ((uint16_t)((uint16_t)(x) << 8 | (uint16_t)(x) >> 8))
#define bswap_32(x) ((uint32_t)((uint32_t)bswap_16((uint32_t)(x)) << 16 | bswap_16((uint32_t)(x) >> 16)))
#define bswap_64(x) ((uint64_t)((uint64_t)bswap_32((uint64_t)(x)) << 32 | bswap_32((uint64_t)(x) >> 32)))
#endif
