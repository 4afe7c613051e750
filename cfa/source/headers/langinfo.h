#ifndef __MAGUS_LANGINFO_H
#define __MAGUS_LANGINFO_H
typedef int nl_item;
#define CODESET 14
#define RADIXCHAR 0x10000
extern char *nl_langinfo(nl_item __item);
#endif
