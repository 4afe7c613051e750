#include "relay.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* peer_connect connects to a host by its address, such as 127.0.0.1. */
int peer_connect(struct peer *p, const char *host, unsigned short port)
{
	struct sockaddr_in to;
	int fd;

	memset(&to, 0, sizeof to);
	to.sin_family = AF_INET;
	to.sin_port = htons(port);
	if (inet_pton(AF_INET, host, &to.sin_addr) != 1)
		return -1;
	fd = socket(AF_INET, SOCK_STREAM, 0);
	if (fd < 0)
		return -1;
	if (connect(fd, (struct sockaddr *)&to, sizeof to) < 0)
		return -1;
	p->fd = fd;
	return 0;
}

/* peer_send sends all of a text, or closes the connection. */
int peer_send(struct peer *p, const char *text, size_t length)
{
	while (length > 0) {
		ssize_t n = write(p->fd, text, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			peer_close(p);
			return -1;
		}
		text += n;
		length -= n;
	}
	return 0;
}

void peer_close(struct peer *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
}
