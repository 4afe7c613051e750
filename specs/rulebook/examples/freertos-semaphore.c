typedef struct queue *SemaphoreHandle_t;
long xSemaphoreTake(SemaphoreHandle_t s, unsigned long ticks);
long xSemaphoreGive(SemaphoreHandle_t s);

int kept(SemaphoreHandle_t s, int *count)
{
	if (xSemaphoreTake(s, 10) != 1)
		return -1;
	++*count;
	xSemaphoreGive(s);
	return 0;
}

int broken(SemaphoreHandle_t s, int *count)
{
	xSemaphoreTake(s, 10); // which may run out of time
	++*count;
	xSemaphoreGive(s); // broken
	return 0;
}
