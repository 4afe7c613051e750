// magus: check sock_alloc_modified.c socket.spec
// want: violates
// trace: inode_failed init

// sock_alloc with the test for a failed allocation moved behind the use of what was
// allocated: without an inode it initialises "nothing".

#include "socket.h"

int sockets_in_use;

int sock_alloc(void)
{
	int inode = new_inode();

	init_socket(inode);
	if (!inode)
		return 0;

	sockets_in_use++;
	return inode;
}
