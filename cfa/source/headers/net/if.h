#ifndef __MAGUS_NET_IF_H
#define __MAGUS_NET_IF_H
#include <sys/socket.h>
#define IF_NAMESIZE 16
#define IFNAMSIZ IF_NAMESIZE
struct if_nameindex { unsigned int if_index; char *if_name; };
struct ifreq {
	char ifr_name[IFNAMSIZ];
	union { struct sockaddr ifru_addr, ifru_hwaddr, ifru_netmask, ifru_broadaddr; short ifru_flags; int ifru_ivalue, ifru_mtu; char ifru_newname[IFNAMSIZ]; void *ifru_data; long __more[3]; } ifr_ifru;
};
#define ifr_addr ifr_ifru.ifru_addr
#define ifr_hwaddr ifr_ifru.ifru_hwaddr
#define ifr_netmask ifr_ifru.ifru_netmask
#define ifr_broadaddr ifr_ifru.ifru_broadaddr
#define ifr_flags ifr_ifru.ifru_flags
#define ifr_ifindex ifr_ifru.ifru_ivalue
#define ifr_mtu ifr_ifru.ifru_mtu
#define ifr_data ifr_ifru.ifru_data
#define IFF_UP 1
#define IFF_BROADCAST 2
#define IFF_LOOPBACK 8
#define IFF_POINTOPOINT 0x10
#define IFF_RUNNING 0x40
#define IFF_PROMISC 0x100
#define IFF_MULTICAST 0x1000
extern unsigned int if_nametoindex(const char *__name);
extern char *if_indextoname(unsigned int __index, char *__name);
extern struct if_nameindex *if_nameindex(void);
extern void if_freenameindex(struct if_nameindex *__list);
#define IFF_DEBUG 4
#define IFF_NOTRAILERS 32
#define IFF_NOARP 128
#define IFF_ALLMULTI 0x200
#define IFF_MASTER 0x400
#define IFF_SLAVE 0x800
#define IFF_PORTSEL 0x2000
#define IFF_AUTOMEDIA 0x4000
#define IFF_DYNAMIC 0x8000
#endif
