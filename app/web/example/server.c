// magus: check server.c lib.spec s1.spec
// want: conforms
// magus: check server.c lib.spec s2.spec
// want: conforms
// magus: check server.c lib.spec s3.spec
// want: conforms
// magus: check server.c lib.spec s4.spec
// want: conforms
// magus: check server.c lib.spec s5.spec
// want: conforms
// magus: check server.c lib.spec s6.spec
// want: conforms
// magus: check server.c lib.spec s7.spec
// want: violates
// trace: certificate_request server_finished
// magus: check server.c lib.spec s8.spec
// want: conforms

// The server's side of an SSL 3.0 like handshake, written from the public description
// of the protocol (RFC 6101): a machine over the states below.
//
//   client                          server
//   client_hello           ------>
//                          <------  server_hello
//                          <------  server_certificate    unless anonymous
//                          <------  server_key_exchange   DHE and anonymous only
//                          <------  certificate_request   if it asks for one
//                          <------  server_hello_done
//   client_certificate     ------>                        if asked for
//   client_key_exchange    ------>
//   certificate_verify     ------>                        if there was a certificate
//   client_change_cipher   ------>
//   client_finished        ------>
//                          <------  server_change_cipher
//                          <------  server_finished
//
// A resumed session needs none of the keys: server_hello is followed by the server's
// change_cipher and finished and then by the client's.
//
// What was agreed on in a handshake is kept in flags (`cipher`, `resumed`,
// `requested`, ...), and the states after which the ways part again ask the flags. So
// nearly every claim about the order of messages needs predicates on them.

#include "messages.h"

enum server_state {
	SRV_WAIT_HELLO = 1,
	SRV_BEGIN = 2,
	SRV_SEND_HELLO = 3,
	SRV_SEND_CERTIFICATE = 4,
	SRV_SEND_KEY_EXCHANGE = 5,
	SRV_SEND_REQUEST = 6,
	SRV_SEND_DONE = 7,
	SRV_WAIT_CERTIFICATE = 8,
	SRV_WAIT_KEY_EXCHANGE = 9,
	SRV_WAIT_VERIFY = 10,
	SRV_WAIT_CHANGE_CIPHER = 11,
	SRV_WAIT_FINISHED = 12,
	SRV_SEND_CHANGE_CIPHER = 13,
	SRV_SEND_FINISHED = 14,
	SRV_ESTABLISHED = 15,
	SRV_CLOSE = 16,  // say goodbye
	SRV_REFUSE = 17, // send a fatal alert
	SRV_LOST = 18    // give up without a word
};

// What a server does about the client's certificate.
enum server_policy { NEVER_ASK = 0, MAY_HAVE_NONE = 1, MUST_HAVE_ONE = 2 };

int server_warnings; // how many warnings of the client were put up with

// server_next returns the next message that is not a warning. One warning too many
// is returned, and no state expects it.
static int server_next(void)
{
	int message;

	do {
		message = server_recv();
		if (message != CLIENT_WARNING)
			return message;
		server_warnings++;
	} while (server_warnings <= MAX_WARNINGS);
	return message;
}

// server_unexpected is the state in which a message leads that should not be here: a
// fatal alert of the client is not answered, everything else is.
static int server_unexpected(int message)
{
	if (message == CLIENT_ALERT)
		return SRV_LOST;
	return SRV_REFUSE;
}

// server serves one connection. It returns 0 when the connection was closed in order
// and -1 when it broke or was refused.
int server(int policy, int may_resume)
{
	int state = SRV_WAIT_HELLO;
	int message = NO_MESSAGE;
	int sent = 0;

	int cipher = CIPHER_NONE; // chosen in this handshake
	int resumed = 0;          // this handshake resumes an old session
	int requested = 0;        // a certificate was asked for in this handshake
	int certified = 0;        // and the client sent one
	int hello_asked = 0;      // a hello_request is out and not yet answered
	int handshakes = 0;       // begun so far

	server_warnings = 0;

	while (1) {
		switch (state) {

		case SRV_WAIT_HELLO:
			message = server_next();
			if (message == CLIENT_HELLO || message == CLIENT_HELLO_RESUME)
				state = SRV_BEGIN;
			else
				state = server_unexpected(message);
			break;

		case SRV_BEGIN:
			handshakes++;
			cipher = CIPHER_NONE;
			resumed = 0;
			requested = 0;
			certified = 0;
			hello_asked = 0;
			if (message == CLIENT_HELLO_RESUME && may_resume && session_known())
				resumed = 1;
			else
				cipher = choose_cipher();
			state = SRV_SEND_HELLO;
			break;

		case SRV_SEND_HELLO:
			if (resumed)
				sent = server_send(SERVER_HELLO_RESUMED);
			else if (cipher == CIPHER_RSA)
				sent = server_send(SERVER_HELLO_RSA);
			else if (cipher == CIPHER_DHE)
				sent = server_send(SERVER_HELLO_DHE);
			else
				sent = server_send(SERVER_HELLO_ANON);

			if (sent < 0)
				state = SRV_LOST;
			else if (resumed)
				state = SRV_SEND_CHANGE_CIPHER;
			else if (cipher == CIPHER_ANON)
				state = SRV_SEND_KEY_EXCHANGE;
			else
				state = SRV_SEND_CERTIFICATE;
			break;

		case SRV_SEND_CERTIFICATE:
			sent = server_send(SERVER_CERTIFICATE);
			if (sent < 0)
				state = SRV_LOST;
			else if (cipher == CIPHER_DHE)
				state = SRV_SEND_KEY_EXCHANGE;
			else
				state = SRV_SEND_REQUEST;
			break;

		case SRV_SEND_KEY_EXCHANGE:
			sent = server_send(SERVER_KEY_EXCHANGE);
			state = sent < 0 ? SRV_LOST : SRV_SEND_REQUEST;
			break;

		case SRV_SEND_REQUEST:
			// An anonymous server must not ask who the client is.
			state = SRV_SEND_DONE;
			if (policy != NEVER_ASK && cipher != CIPHER_ANON) {
				sent = server_send(CERTIFICATE_REQUEST);
				if (sent < 0)
					state = SRV_LOST;
				else
					requested = 1;
			}
			break;

		case SRV_SEND_DONE:
			sent = server_send(SERVER_HELLO_DONE);
			if (sent < 0)
				state = SRV_LOST;
			else if (requested)
				state = SRV_WAIT_CERTIFICATE;
			else
				state = SRV_WAIT_KEY_EXCHANGE;
			break;

		case SRV_WAIT_CERTIFICATE:
			message = server_next();
			if (message == CLIENT_CERTIFICATE) {
				certified = 1;
				state = SRV_WAIT_KEY_EXCHANGE;
			} else if (message == CLIENT_NO_CERTIFICATE && policy != MUST_HAVE_ONE) {
				state = SRV_WAIT_KEY_EXCHANGE;
			} else {
				state = server_unexpected(message);
			}
			break;

		case SRV_WAIT_KEY_EXCHANGE:
			message = server_next();
			if (message != CLIENT_KEY_EXCHANGE)
				state = server_unexpected(message);
			else if (certified)
				state = SRV_WAIT_VERIFY;
			else
				state = SRV_WAIT_CHANGE_CIPHER;
			break;

		case SRV_WAIT_VERIFY:
			message = server_next();
			if (message != CERTIFICATE_VERIFY)
				state = server_unexpected(message);
			else if (signature_accepted())
				state = SRV_WAIT_CHANGE_CIPHER;
			else
				state = SRV_REFUSE;
			break;

		case SRV_WAIT_CHANGE_CIPHER:
			message = server_next();
			if (message == CLIENT_CHANGE_CIPHER)
				state = SRV_WAIT_FINISHED;
			else
				state = server_unexpected(message);
			break;

		case SRV_WAIT_FINISHED:
			message = server_next();
			if (message != CLIENT_FINISHED)
				state = server_unexpected(message);
			else if (resumed)
				state = SRV_ESTABLISHED;
			else
				state = SRV_SEND_CHANGE_CIPHER;
			break;

		case SRV_SEND_CHANGE_CIPHER:
			sent = server_send(SERVER_CHANGE_CIPHER);
			state = sent < 0 ? SRV_LOST : SRV_SEND_FINISHED;
			break;

		case SRV_SEND_FINISHED:
			sent = server_send(SERVER_FINISHED);
			if (sent < 0)
				state = SRV_LOST;
			else if (resumed)
				state = SRV_WAIT_CHANGE_CIPHER;
			else
				state = SRV_ESTABLISHED;
			break;

		case SRV_ESTABLISHED:
			switch (server_job()) {
			case JOB_SEND:
				sent = server_send(SERVER_DATA);
				if (sent < 0)
					state = SRV_LOST;
				break;

			case JOB_RENEGOTIATE:
				// At most one request is out, and none that would be refused.
				if (hello_asked || handshakes >= MAX_HANDSHAKES)
					break;
				sent = server_send(HELLO_REQUEST);
				if (sent < 0)
					state = SRV_LOST;
				else
					hello_asked = 1;
				break;

			case JOB_CLOSE:
				state = SRV_CLOSE;
				break;

			default:
				message = server_next();
				if (message == CLIENT_HELLO || message == CLIENT_HELLO_RESUME)
					state = handshakes < MAX_HANDSHAKES ? SRV_BEGIN : SRV_REFUSE;
				else if (message == CLIENT_CLOSE)
					state = SRV_CLOSE;
				else if (message != CLIENT_DATA && message != NO_MESSAGE)
					state = server_unexpected(message);
				break;
			}
			break;

		case SRV_CLOSE:
			server_send(SERVER_CLOSE);
			return 0;

		case SRV_REFUSE:
			server_send(SERVER_ALERT);
			return -1;

		default:
			return -1;
		}
	}
}
