// magus: check source.c filter.c sink.c filter.spec
// want: conforms
// magus: check source.c filter_bad.c sink.c filter.spec
// want: violates
// trace: raw.small clean.small

// The first of three components: emits every reading to the filter.

#include "filter.h"

int source(void)
{
	int value;

	while ((value = measure()) >= 0)
		emit(value);
	emit_end();
	return 0;
}
