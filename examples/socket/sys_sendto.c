// magus: check sys_sendto.c socket.spec
// want: conforms

// The system call `sendto`: finds the socket behind a descriptor, copies the message
// in, sends it, and puts the socket back on every path.

#include "socket.h"

int sys_sendto(int fd, int length, int flags, int addr)
{
	int sock, result;

	sock = find_socket(fd, flags);
	if (!sock)
		return -EBADF;

	if (length < 0) {
		result = -EINVAL;
		goto out_put;
	}
	result = copy_message(length);
	if (result < 0)
		goto out_put;
	if (addr < 0) {
		result = -EPIPE;
		goto out_put;
	}
	result = sock_sendmsg(sock, length);

out_put:
	put_socket(sock);
	return result;
}
