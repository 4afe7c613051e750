// magus: check sys_socket_modified.c socket.spec
// want: violates

// The system call `socket` with two paths joined that should not be: a failure of
// create_protocol goes to the exit that does not release the socket.

#include "socket.h"

int sys_socket(int family, int type)
{
	int sock, result;

	result = -EAFNOSUPPORT;
	if (family < 0 || family >= AF_MAX)
		goto out;
	result = -EINVAL;
	if (!family_known(family))
		goto out;
	result = -ENFILE;
	sock = sock_alloc();
	if (!sock)
		goto out;
	result = create_protocol(sock, family, type);
	if (result < 0)
		goto out; // out_release would be right
	result = map_descriptor(sock);
	if (result < 0)
		goto out_release;
	goto out;

out_release:
	release_socket(sock);
out:
	return result;
}
