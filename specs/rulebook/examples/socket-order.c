#include <sys/socket.h>
#include <unistd.h>

int kept(const struct sockaddr *to, socklen_t length)
{
	int s = socket(AF_INET, SOCK_STREAM, 0);
	if (s < 0)
		return -1;
	long sent = -1;
	if (connect(s, to, length) == 0)
		sent = send(s, "x", 1, 0);
	close(s);
	return sent == 1 ? 0 : -1;
}

int broken(const struct sockaddr *to, socklen_t length)
{
	int s = socket(AF_INET, SOCK_STREAM, 0);
	if (s < 0)
		return -1;
	connect(s, to, length);
	long sent = send(s, "x", 1, 0); // broken
	close(s);
	return sent == 1 ? 0 : -1;
}
