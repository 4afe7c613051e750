#include <semaphore.h>

int kept(sem_t *s, int *n)
{
	if (sem_wait(s) != 0)
		return -1;
	++*n;
	sem_post(s);
	return 0;
}

int broken(sem_t *s, int *n)
{
	sem_wait(s); // which a signal may interrupt
	++*n;
	sem_post(s); // broken
	return 0;
}
