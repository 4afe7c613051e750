// magus: check dispatch.c driver.spec
// want: conforms

// The dispatch loop of a driver: takes requests until it is told to stop, starts
// each under the device's lock, and reports what became of it.

#include "driver.h"

int dispatch(void)
{
	int kind;
	int status;
	int tries;

	while ((kind = next_request()) >= 0) {
		if (kind != READ && kind != WRITE && kind != FLUSH) {
			complete(UNKNOWN);
			continue;
		}

		lock_device();
		status = BUSY;
		for (tries = 0; tries < 3 && status == BUSY; tries++) {
			if (device_ready())
				status = start_transfer(kind);
		}
		unlock_device();

		switch (status) {
		case PENDING:
			wait_for_transfer();
			status = OK;
			break;
		case BUSY:
		case FAILED:
		case OK:
			break;
		default:
			status = UNKNOWN;
		}
		complete(status);
	}
	return 0;
}
