// magus: check mutex_unlock.c mutex.spec
// want: conforms

// Unlocks a mutex of a given kind. The kinds share their way out: which of the
// `result`s and whether the lock is released is carried in data, so the claims need
// predicates on `kind` and `result`.

#include "mutex.h"

int mutex_unlock(int kind)
{
	int result = 0;
	int give_back = 1;

	if (kind < NORMAL || kind > ERRORCHECK)
		return EINVAL;

	if (kind != NORMAL) {
		if (!held_by_me()) {
			result = EPERM;
			give_back = 0;
		} else if (kind == RECURSIVE && count_down() > 0) {
			give_back = 0;
		}
	}

	if (give_back)
		release();
	return result;
}
