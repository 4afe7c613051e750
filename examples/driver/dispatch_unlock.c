// magus: check dispatch_unlock.c driver.spec
// want: violates
// trace: request lock start complete.bad

// A dispatch loop with a shortcut that leaves the lock locked: a transfer that fails
// at once is completed before unlock_device is reached.

#include "driver.h"

int dispatch(void)
{
	int kind;
	int status;

	while ((kind = next_request()) >= 0) {
		lock_device();
		status = device_ready() ? start_transfer(kind) : BUSY;
		if (status == FAILED) {
			complete(status);
			continue;
		}
		unlock_device();

		if (status == PENDING) {
			wait_for_transfer();
			status = OK;
		}
		complete(status);
	}
	return 0;
}
