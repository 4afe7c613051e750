// A queue of jobs between producers and consumers, and a manager that waits until all
// is done. Messages are routines; queue.spec says what they do.

enum { CAPACITY = 3, CREW = 2 }; // jobs that wait, jobs that are worked at
enum { PUT = 1, TAKE, DONE, FLUSH };

// Producers.
void put(void);

// Consumers.
void take(void);
void work(void);
void done(void);

// The manager.
void flush(void); // returns when no job is left

// The queue: each waits for one of the messages that its arguments allow, besides
// DONE, and says which it was.
int accept(int puts, int takes, int flushes);
