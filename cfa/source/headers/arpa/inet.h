#ifndef __MAGUS_ARPA_INET_H
#define __MAGUS_ARPA_INET_H
#include <netinet/in.h>
extern in_addr_t inet_addr(const char *__s);
extern int inet_aton(const char *__s, struct in_addr *__addr);
extern char *inet_ntoa(struct in_addr __addr);
extern const char *inet_ntop(int __family, const void *__addr, char *__buf, socklen_t __len);
extern int inet_pton(int __family, const char *__s, void *__addr);
extern in_addr_t inet_network(const char *__s);
#endif
