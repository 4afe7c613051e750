// magus: check mutex_lock.c mutex.spec
// want: conforms

// Locks a mutex of a given kind.

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
			return 0;
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
