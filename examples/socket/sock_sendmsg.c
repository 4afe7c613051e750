// magus: check sock_sendmsg.c socket.spec
// want: conforms

// Sends on a socket if that is permitted.

#include "socket.h"

int sock_sendmsg(int sock, int length)
{
	int result;

	if (length < 0)
		return -EINVAL;

	result = check_permission(sock);
	if (result == 0)
		result = transmit(sock, length);
	return result;
}
