// magus: check sock_alloc.c socket.spec
// want: conforms

// Allocates a socket in the manner of Linux 2.4's routine of that name: a socket
// lives in an inode; no inode, no socket.

#include "socket.h"

int sockets_in_use;

int sock_alloc(void)
{
	int inode = new_inode();

	if (!inode)
		return 0;

	init_socket(inode);
	sockets_in_use++;
	return inode;
}
