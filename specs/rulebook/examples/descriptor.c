#include <fcntl.h>
#include <unistd.h>

int kept(const char *path, char *byte)
{
	int d = open(path, O_RDONLY);
	if (d < 0)
		return -1;
	long n = read(d, byte, 1);
	close(d);
	return n == 1 ? 0 : -1;
}

int broken(const char *path, char *byte)
{
	int d = open(path, O_RDONLY);
	if (d < 0)
		return -1;
	if (read(d, byte, 1) != 1)
		return -1; // broken
	close(d);
	return 0;
}
