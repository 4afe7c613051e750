// magus: check dispatch_bad.c driver.spec
// want: violates

// The dispatch loop of dispatch.c with two ways to tell "busy": the flag `busy` is
// set when the first try fails, and a later try that succeeds does not clear it. The
// transfer is then started, but the request is reported as busy, and a pending
// transfer is still waited for: it is completed a second time.

#include "driver.h"

int dispatch(void)
{
	int kind;
	int status;
	int tries;
	int busy;

	while ((kind = next_request()) >= 0) {
		if (kind != READ && kind != WRITE && kind != FLUSH) {
			complete(UNKNOWN);
			continue;
		}

		lock_device();
		status = BUSY;
		busy = 0;
		for (tries = 0; tries < 3 && status == BUSY; tries++) {
			if (device_ready())
				status = start_transfer(kind);
			else
				busy = 1;
		}
		unlock_device();

		if (busy)
			complete(BUSY);
		if (status == PENDING) {
			wait_for_transfer();
			status = OK;
		}
		if (status != BUSY)
			complete(status);
	}
	return 0;
}
