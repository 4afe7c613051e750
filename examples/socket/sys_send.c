// magus: check sys_send.c socket.spec
// want: conforms
// magus: check sys_send.c sys_sendto.c socket.spec
// want: conforms
// magus: check --procedure sys_send sys_send.c sys_sendto.c sock_sendmsg.c socket.spec
// want: conforms

// The system call `send`: sys_sendto without an address. Three times the same claim:
// with what sys_sendto is said to do, together with its body, and with every body
// below it (procedures that have an abstraction are taken by their abstraction).

#include "socket.h"

int sys_send(int fd, int length, int flags)
{
	return sys_sendto(fd, length, flags, 0);
}
