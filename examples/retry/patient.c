/* The same server, which refuses nobody twice. */

int receive(void);
void accept(void);
void refuse(void);
int busy(void);

void server(void)
{
	int refused = 0;

	for (;;) {
		receive();
		if (!refused && busy()) {
			refuse();
			refused = 1;
		} else {
			accept();
			refused = 0;
		}
	}
}
