/* A server that is busy now and then. */

int receive(void);
void accept(void);
void refuse(void);
int busy(void);

void server(void)
{
	for (;;) {
		receive();
		if (busy())
			refuse();
		else
			accept();
	}
}
