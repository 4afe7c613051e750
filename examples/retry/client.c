/* A client that asks until it is answered, and what it asks for. */

void send(int request);
int reply(void);		/* 1: done, 0: try again */
void report(void);

void client(void)
{
	int request = 0;

	for (;;) {
		send(request);
		if (reply()) {
			report();
			request = !request;
		}
	}
}
