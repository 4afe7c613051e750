// magus: check mutex_unlock_modified.c mutex.spec
// want: violates
// trace: not_mine release

// mutex_unlock that sets the error but not the flag: a mutex held by somebody else
// is released, and only then is the error reported.

#include "mutex.h"

int mutex_unlock(int kind)
{
	int result = 0;
	int give_back = 1;

	if (kind < NORMAL || kind > ERRORCHECK)
		return EINVAL;

	if (kind != NORMAL) {
		if (!held_by_me())
			result = EPERM;
		else if (kind == RECURSIVE && count_down() > 0)
			give_back = 0;
	}

	if (give_back)
		release();
	return result;
}
