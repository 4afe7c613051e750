// A mutex by kinds, in the manner of POSIX: what a second lock() by the holder does,
// and whether unlock() asks who holds it, depends on the kind.

enum kind { NORMAL = 0, RECURSIVE = 1, ERRORCHECK = 2 };
enum errors { EPERM = 1, EAGAIN = 11, EINVAL = 22, EDEADLK = 35 };

void acquire(void);     // waits for the underlying lock and takes it
void release(void);     // gives the underlying lock back
int held_by_me(void);   // 1: the caller holds the mutex, 0: somebody else or nobody
int count_up(void);     // one more recursive lock: 0, or negative when there are too many
int count_down(void);   // one recursive lock less: how many are left
