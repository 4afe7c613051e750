#include <netdb.h>

int kept(const char *host)
{
	struct addrinfo *a;
	if (getaddrinfo(host, "http", 0, &a) != 0)
		return -1;
	int family = a->ai_family;
	freeaddrinfo(a);
	return family;
}

int broken(const char *host)
{
	struct addrinfo *a;
	if (getaddrinfo(host, "http", 0, &a) != 0)
		return -1;
	if (a->ai_family != AF_INET)
		return -1; // broken
	freeaddrinfo(a);
	return 0;
}
