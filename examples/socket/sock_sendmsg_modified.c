// magus: check sock_sendmsg_modified.c socket.spec
// want: violates

// sock_sendmsg with the comparison turned round: sends when permission was refused.

#include "socket.h"

int sock_sendmsg(int sock, int length)
{
	int result;

	if (length < 0)
		return -EINVAL;

	result = check_permission(sock);
	if (result != 0)
		result = transmit(sock, length);
	return result;
}
