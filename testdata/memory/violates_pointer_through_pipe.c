// A pointer is written to a pipe and read again.
#include <unistd.h>
extern void reach_error(void);
int x;
int main(void)
{
	int *p = &x, *q;
	int fd[2];
	if (pipe(fd))
		return 0;
	write(fd[1], &p, sizeof p);
	if (read(fd[0], &q, sizeof q) != sizeof q)
		return 0;
	*q = 9;
	if (x)
		reach_error();
	return 0;
}
