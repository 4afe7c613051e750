// A flash memory, written page by page. The chip takes a page only after it was enabled for writing,
// and then it is busy for some time.

void write_enable(void);
void program(int page);
int busy(void); // 1 while the chip writes

int store(int first, int pages)
{
	int page;
	int tries;

	for (page = first; page < first + pages; page++) {
		write_enable();
		program(page);
		tries = 0;
		while (busy()) {
			tries++;
			if (tries == 3)
				break;
		}
	}
	return 0;
}
