// magus: check mutex_lock_modified.c mutex.spec
// want: violates
// trace: mine up acquire

// mutex_lock with a `return` forgotten: a recursive mutex that is locked again counts
// up and then falls through to wait for itself.

#include "mutex.h"

int mutex_lock(int kind)
{
	switch (kind) {
	case NORMAL:
		acquire();
		return 0;

	case RECURSIVE:
		if (held_by_me()) {
			if (count_up() < 0)
				return EAGAIN;
		}
		acquire();
		return 0;

	case ERRORCHECK:
		if (held_by_me())
			return EDEADLK;
		acquire();
		return 0;

	default:
		return EINVAL;
	}
}
