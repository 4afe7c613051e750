// What the dispatch loop of a device driver uses. A request is a positive number.

enum kind { READ = 0, WRITE = 1, FLUSH = 2 };
enum status { OK = 0, PENDING = 1, FAILED = -1, BUSY = -2, UNKNOWN = -3 };

int next_request(void);       // takes the next request: its kind, or negative when the driver is to stop
void lock_device(void);
void unlock_device(void);
int device_ready(void);       // 1 or 0
int start_transfer(int kind); // OK, PENDING or FAILED
void wait_for_transfer(void); // waits for a pending transfer; not under the lock
void complete(int status);    // reports a request as done; not under the lock
