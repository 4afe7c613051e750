void taskENTER_CRITICAL(void);
void taskEXIT_CRITICAL(void);

int kept(volatile int *ticks)
{
	taskENTER_CRITICAL();
	int n = *ticks;
	taskEXIT_CRITICAL();
	return n;
}

int broken(volatile int *ticks)
{
	taskENTER_CRITICAL();
	int n = *ticks;
	if (n == 0)
		return -1; // broken
	taskEXIT_CRITICAL();
	return n;
}
