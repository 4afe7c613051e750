// magus: check sys_socket.c socket.spec
// want: conforms
// magus: check sys_socket.c sock_alloc.c socket.spec
// want: conforms

// The system call `socket`: either allocates, creates and maps a socket and returns
// its descriptor, or undoes what it had done and returns a negative error value.
//
// Checked alone, sock_alloc is what socket.spec claims of it; checked together with
// sock_alloc.c, that claim is checked, too.

#include "socket.h"

static int sock_create(int family, int type)
{
	int sock, err;

	if (family < 0 || family >= AF_MAX)
		return -EAFNOSUPPORT;
	if (!family_known(family))
		return -EINVAL;

	sock = sock_alloc();
	if (!sock)
		return -ENFILE;

	err = create_protocol(sock, family, type);
	if (err < 0) {
		release_socket(sock);
		return err;
	}
	return sock;
}

int sys_socket(int family, int type)
{
	int sock, fd;

	sock = sock_create(family, type);
	if (sock < 0)
		return sock;

	fd = map_descriptor(sock);
	if (fd < 0) {
		release_socket(sock);
		return fd;
	}
	return fd;
}
