#include "relay.h"

int journal_open(struct journal *j, const char *name)
{
	FILE *f = fopen(name, "a");

	if (!f)
		return -1;
	if (fprintf(f, "-- opened --\n") < 0) {
		fclose(f);
		return -1;
	}
	j->file = f;
	j->lines = 0;
	return 0;
}

int journal_write(struct journal *j, const struct message *m)
{
	if (!j->file)
		return -1;
	if (fwrite(m->text, 1, m->length, j->file) != m->length)
		return -1;
	j->lines++;
	return fputc('\n', j->file) == EOF ? -1 : 0;
}

void journal_close(struct journal *j)
{
	if (j->file)
		fclose(j->file);
	j->file = NULL;
}

/* journal_copy keeps an old journal under another name. */
int journal_copy(const char *from, const char *to)
{
	FILE *in, *out;
	int c, failed = 0;

	in = fopen(from, "r");
	if (!in)
		return -1;
	out = fopen(to, "w");
	if (!out) {
		fclose(in);
		return -1;
	}
	while ((c = fgetc(in)) != EOF)
		if (fputc(c, out) == EOF) {
			failed = 1;
			break;
		}
	fclose(in);
	if (fclose(out) == EOF)
		failed = 1;
	return failed ? -1 : 0;
}
