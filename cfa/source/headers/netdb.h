#ifndef __MAGUS_NETDB_H
#define __MAGUS_NETDB_H
#include <netinet/in.h>
struct hostent { char *h_name, **h_aliases; int h_addrtype, h_length; char **h_addr_list; };
#define h_addr h_addr_list[0]
struct servent { char *s_name, **s_aliases; int s_port; char *s_proto; };
struct protoent { char *p_name, **p_aliases; int p_proto; };
struct netent { char *n_name, **n_aliases; int n_addrtype; uint32_t n_net; };
struct addrinfo { int ai_flags, ai_family, ai_socktype, ai_protocol; socklen_t ai_addrlen; struct sockaddr *ai_addr; char *ai_canonname; struct addrinfo *ai_next; };
extern int h_errno;
#define HOST_NOT_FOUND 1
#define TRY_AGAIN 2
#define NO_RECOVERY 3
#define NO_DATA 4
#define AI_PASSIVE 1
#define AI_CANONNAME 2
#define AI_NUMERICHOST 4
#define AI_V4MAPPED 8
#define AI_ALL 0x10
#define AI_ADDRCONFIG 0x20
#define AI_NUMERICSERV 0x400
#define NI_MAXHOST 1025
#define NI_MAXSERV 32
#define NI_NUMERICHOST 1
#define NI_NUMERICSERV 2
#define NI_NOFQDN 4
#define NI_NAMEREQD 8
#define NI_DGRAM 16
#define EAI_BADFLAGS (-1)
#define EAI_NONAME (-2)
#define EAI_AGAIN (-3)
#define EAI_FAIL (-4)
#define EAI_FAMILY (-6)
#define EAI_SOCKTYPE (-7)
#define EAI_SERVICE (-8)
#define EAI_MEMORY (-10)
#define EAI_SYSTEM (-11)
#define EAI_OVERFLOW (-12)
extern struct hostent *gethostbyname(const char *__name);
extern struct hostent *gethostbyname2(const char *__name, int __family);
extern struct hostent *gethostbyaddr(const void *__addr, socklen_t __len, int __family);
extern struct servent *getservbyname(const char *__name, const char *__proto);
extern struct servent *getservbyport(int __port, const char *__proto);
extern struct protoent *getprotobyname(const char *__name);
extern struct protoent *getprotobynumber(int __proto);
extern int getaddrinfo(const char *__node, const char *__service, const struct addrinfo *__hints, struct addrinfo **__result);
extern void freeaddrinfo(struct addrinfo *__info);
extern const char *gai_strerror(int __error);
extern int getnameinfo(const struct sockaddr *__addr, socklen_t __len, char *__host, socklen_t __hostlen, char *__service, socklen_t __servicelen, int __flags);
extern void herror(const char *__s);
extern const char *hstrerror(int __error);
#define EAI_IDN_ENCODE (-105)
#define EAI_INTR (-104)
#define EAI_ALLDONE (-103)
#define EAI_NOTCANCELED (-102)
#define EAI_CANCELED (-101)
#define EAI_INPROGRESS (-100)
#define EAI_ADDRFAMILY (-9)
#define EAI_NODATA (-5)
#define NETDB_INTERNAL (-1)
#define NETDB_SUCCESS 0
#endif
