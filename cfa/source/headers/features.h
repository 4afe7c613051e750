#ifndef __MAGUS_FEATURES_H
#define __MAGUS_FEATURES_H
/* What other C libraries say here about themselves is not said. */
#endif
