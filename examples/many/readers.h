// Readers and writers ask a lock server. Messages are routines; readers.spec says what
// they do.

enum { LIMIT = 3 }; // readers at a time
enum { READ = 1, READ_DONE, WRITE, WRITE_DONE };

// The side of readers and writers. lock_ waits until it is their turn.
void lock_read(void);
void unlock_read(void);
void lock_write(void);
void unlock_write(void);

// What they do in between.
void read_data(void);
void begin_write(void);
void end_write(void);

// The server's side: what it is willing to accept now. It waits until one of these is
// asked for, and says which it was.
int accept_all(void);     // any message
int accept_readers(void); // readers, and those who are done
int accept_done(void);    // those who are done
