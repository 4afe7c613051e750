// Sessions in a table of three slots. Messages are routines; table.spec says what they
// do.

enum { SLOTS = 3, OPEN = SLOTS, FULL = -1 };

// A client's side.
int  open_session(void);      // the slot that was given, or FULL
void use_session(int slot);
void close_session(int slot);

// The server's side.
int  next_request(void);      // OPEN, or the slot that somebody closes
void give(int slot);          // the answer to OPEN
void refuse(void);            // the other one
void note_free(int slot);     // for the log
