/* A file transfer as a state machine, in the size of one routine of a protocol:
   the sender of blocks that may be lost, refused or answered late. What must
   not happen: reporting success without having opened, or while a block is out,
   and more than three retries of one block. */

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum {
  CLOSED = 0, RESOLVE = 10, CONNECT = 11, LOGIN = 20, SECRET = 21, OPEN = 30,
  NEGOTIATE = 31, READ = 40, SEND = 41, WAIT = 42, RESEND = 43, FLUSH = 50,
  RELEASE = 51, DONE = 60, REFUSED = 70, BROKEN = 71
};

int main(void) {
  int state = CLOSED;
  int next = CLOSED;
  int opened = 0;
  int out = 0;
  int retries = 0;
  int secret = __VERIFIER_nondet_int();
  int binary = __VERIFIER_nondet_int();
  int mode = 0;
  int answer;

  for (;;) {
    answer = __VERIFIER_nondet_int();
    if (state == CLOSED) {
      opened = 0;
      out = 0;
      next = RESOLVE;
    } else if (state == RESOLVE) {
      if (answer < 0)
        next = BROKEN;
      else
        next = CONNECT;
    } else if (state == CONNECT) {
      if (answer < 0)
        next = BROKEN;
      else if (answer == 0)
        next = CONNECT;
      else
        next = LOGIN;
    } else if (state == LOGIN) {
      if (secret)
        next = SECRET;
      else
        next = OPEN;
    } else if (state == SECRET) {
      if (!secret)
        reach_error();
      if (answer <= 0)
        next = REFUSED;
      else
        next = OPEN;
    } else if (state == OPEN) {
      if (answer <= 0) {
        next = REFUSED;
      } else {
        opened = 1;
        if (binary > 0) {
          mode = 8;
          next = NEGOTIATE;
        } else {
          mode = 7;
          next = READ;
        }
      }
    } else if (state == NEGOTIATE) {
      if (mode != 8)
        reach_error();
      if (answer == 7)
        mode = 7;
      next = READ;
    } else if (state == READ) {
      if (out)
        reach_error();
      if (answer < 0)
        next = BROKEN;
      else if (answer == 0)
        next = FLUSH;
      else
        next = SEND;
    } else if (state == SEND) {
      out = 1;
      retries = 0;
      next = WAIT;
    } else if (state == WAIT) {
      if (!out)
        reach_error();
      if (answer == 1) {
        out = 0;
        next = READ;
      } else if (answer == 2) {
        next = WAIT;
      } else {
        next = RESEND;
      }
    } else if (state == RESEND) {
      if (retries == 3) {
        next = BROKEN;
      } else {
        retries = retries + 1;
        if (retries > 3)
          reach_error();
        next = WAIT;
      }
    } else if (state == FLUSH) {
      if (answer < 0)
        next = BROKEN;
      else
        next = RELEASE;
    } else if (state == RELEASE) {
      if (mode != 7 && binary <= 0)
        reach_error();
      next = DONE;
    } else if (state == DONE) {
      if (!opened || out)
        reach_error();
      return 0;
    } else if (state == REFUSED) {
      if (opened)
        reach_error();
      return 1;
    } else if (state == BROKEN) {
      return 2;
    } else {
      reach_error();
    }
    state = next;
  }
}
