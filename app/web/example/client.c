// magus: check client.c lib.spec c1.spec
// want: conforms
// magus: check client.c lib.spec c2.spec
// want: conforms
// magus: check client.c lib.spec c3.spec
// want: conforms
// magus: check client.c lib.spec c4.spec
// want: conforms
// magus: check client.c lib.spec c5.spec
// want: conforms
// magus: check client.c lib.spec c6.spec
// want: conforms
// magus: check client.c lib.spec c7.spec
// want: conforms
// magus: check client.c lib.spec c8.spec
// want: conforms
// magus: check client.c server.c lib.spec p01.spec
// want: conforms
// magus: check client.c server.c lib.spec p02.spec
// want: conforms
// magus: check client.c server.c lib.spec p03.spec
// want: conforms
// magus: check client.c server.c lib.spec p04.spec
// want: conforms
// magus: check client.c server.c lib.spec p05.spec
// want: conforms
// magus: check client.c server.c lib.spec p06.spec
// want: conforms
// magus: check client.c server.c lib.spec p07.spec
// want: conforms
// magus: check client.c server.c lib.spec p08.spec
// want: conforms
// magus: check client.c server.c lib.spec p09.spec
// want: conforms
// magus: check client.c server.c lib.spec p10.spec
// want: conforms

// The client's side of an SSL 3.0 like handshake, written from the public description
// of the protocol (RFC 6101). The order of messages is drawn in server.c.
//
// The client begins, and it may begin again: when the application wants new keys, or
// when an established server asks with a hello_request. It checks that the server
// keeps to the order that the kind of handshake demands, and breaks off with a fatal
// alert where the server does not.

#include "messages.h"

enum client_state {
	CLT_SEND_HELLO = 1,
	CLT_WAIT_HELLO = 2,
	CLT_WAIT_CERTIFICATE = 3,
	CLT_WAIT_KEY_EXCHANGE = 4,
	CLT_WAIT_DONE = 5, // or a certificate_request before it
	CLT_SEND_CERTIFICATE = 6,
	CLT_SEND_KEY_EXCHANGE = 7,
	CLT_SEND_VERIFY = 8,
	CLT_SEND_CHANGE_CIPHER = 9,
	CLT_SEND_FINISHED = 10,
	CLT_WAIT_CHANGE_CIPHER = 11,
	CLT_WAIT_FINISHED = 12,
	CLT_ESTABLISHED = 13,
	CLT_CLOSE = 14,  // say goodbye
	CLT_REFUSE = 15, // send a fatal alert
	CLT_LOST = 16    // give up without a word
};

// client_next returns the next message during a handshake. A hello_request is
// ignored there: what it asks for is under way.
static int client_next(void)
{
	int message;

	do
		message = client_recv();
	while (message == HELLO_REQUEST);
	return message;
}

// client_unexpected is the state in which a message leads that should not be here: a
// fatal alert of the server is not answered, everything else is.
static int client_unexpected(int message)
{
	if (message == SERVER_ALERT)
		return CLT_LOST;
	return CLT_REFUSE;
}

// client uses one connection. `offer_session` says whether it has an old session to
// resume, `have_certificate` whether it can show who it is. It returns 0 when the
// connection was closed in order and -1 when it broke or was refused.
int client(int offer_session, int have_certificate)
{
	int state = CLT_SEND_HELLO;
	int message = NO_MESSAGE;
	int sent = 0;
	int retries;

	int cipher = CIPHER_NONE; // what the server chose in this handshake
	int resumed = 0;          // this handshake resumes an old session
	int requested = 0;        // the server asked for a certificate in this handshake
	int certified = 0;        // and one was sent
	int handshakes = 0;       // begun so far

	while (1) {
		switch (state) {

		case CLT_SEND_HELLO:
			handshakes++;
			cipher = CIPHER_NONE;
			resumed = 0;
			requested = 0;
			certified = 0;

			sent = -1;
			for (retries = 0; sent < 0 && retries <= MAX_RETRIES; retries++) {
				if (offer_session)
					sent = client_send(CLIENT_HELLO_RESUME);
				else
					sent = client_send(CLIENT_HELLO);
			}
			state = sent < 0 ? CLT_LOST : CLT_WAIT_HELLO;
			break;

		case CLT_WAIT_HELLO:
			message = client_next();
			switch (message) {
			case SERVER_HELLO_RSA:
				cipher = CIPHER_RSA;
				state = CLT_WAIT_CERTIFICATE;
				break;
			case SERVER_HELLO_DHE:
				cipher = CIPHER_DHE;
				state = CLT_WAIT_CERTIFICATE;
				break;
			case SERVER_HELLO_ANON:
				cipher = CIPHER_ANON;
				state = CLT_WAIT_KEY_EXCHANGE;
				break;
			case SERVER_HELLO_RESUMED:
				// A server must not resume what was not offered.
				if (offer_session) {
					resumed = 1;
					state = CLT_WAIT_CHANGE_CIPHER;
				} else {
					state = CLT_REFUSE;
				}
				break;
			default:
				state = client_unexpected(message);
				break;
			}
			break;

		case CLT_WAIT_CERTIFICATE:
			message = client_next();
			if (message != SERVER_CERTIFICATE)
				state = client_unexpected(message);
			else if (!certificate_accepted())
				state = CLT_REFUSE;
			else if (cipher == CIPHER_DHE)
				state = CLT_WAIT_KEY_EXCHANGE;
			else
				state = CLT_WAIT_DONE;
			break;

		case CLT_WAIT_KEY_EXCHANGE:
			message = client_next();
			if (message == SERVER_KEY_EXCHANGE)
				state = CLT_WAIT_DONE;
			else
				state = client_unexpected(message);
			break;

		case CLT_WAIT_DONE:
			message = client_next();
			if (message == SERVER_HELLO_DONE) {
				if (requested)
					state = CLT_SEND_CERTIFICATE;
				else
					state = CLT_SEND_KEY_EXCHANGE;
			} else if (message == CERTIFICATE_REQUEST && !requested && cipher != CIPHER_ANON) {
				requested = 1;
			} else {
				state = client_unexpected(message);
			}
			break;

		case CLT_SEND_CERTIFICATE:
			if (have_certificate) {
				sent = client_send(CLIENT_CERTIFICATE);
				certified = 1;
			} else {
				sent = client_send(CLIENT_NO_CERTIFICATE);
			}
			state = sent < 0 ? CLT_LOST : CLT_SEND_KEY_EXCHANGE;
			break;

		case CLT_SEND_KEY_EXCHANGE:
			sent = client_send(CLIENT_KEY_EXCHANGE);
			if (sent < 0)
				state = CLT_LOST;
			else if (certified)
				state = CLT_SEND_VERIFY;
			else
				state = CLT_SEND_CHANGE_CIPHER;
			break;

		case CLT_SEND_VERIFY:
			sent = client_send(CERTIFICATE_VERIFY);
			state = sent < 0 ? CLT_LOST : CLT_SEND_CHANGE_CIPHER;
			break;

		case CLT_SEND_CHANGE_CIPHER:
			sent = client_send(CLIENT_CHANGE_CIPHER);
			state = sent < 0 ? CLT_LOST : CLT_SEND_FINISHED;
			break;

		case CLT_SEND_FINISHED:
			sent = client_send(CLIENT_FINISHED);
			if (sent < 0)
				state = CLT_LOST;
			else if (resumed)
				state = CLT_ESTABLISHED;
			else
				state = CLT_WAIT_CHANGE_CIPHER;
			break;

		case CLT_WAIT_CHANGE_CIPHER:
			message = client_next();
			if (message == SERVER_CHANGE_CIPHER)
				state = CLT_WAIT_FINISHED;
			else
				state = client_unexpected(message);
			break;

		case CLT_WAIT_FINISHED:
			message = client_next();
			if (message != SERVER_FINISHED)
				state = client_unexpected(message);
			else if (resumed)
				state = CLT_SEND_CHANGE_CIPHER;
			else
				state = CLT_ESTABLISHED;
			break;

		case CLT_ESTABLISHED:
			switch (client_job()) {
			case JOB_SEND:
				sent = client_send(CLIENT_DATA);
				if (sent < 0)
					state = CLT_LOST;
				break;

			case JOB_RENEGOTIATE:
				if (handshakes < MAX_HANDSHAKES)
					state = CLT_SEND_HELLO;
				break;

			case JOB_CLOSE:
				state = CLT_CLOSE;
				break;

			default:
				message = client_recv();
				switch (message) {
				case NO_MESSAGE:
				case SERVER_DATA:
					break;
				case HELLO_REQUEST:
					if (handshakes < MAX_HANDSHAKES) {
						state = CLT_SEND_HELLO;
					} else {
						sent = client_send(CLIENT_WARNING);
						if (sent < 0)
							state = CLT_LOST;
					}
					break;
				case SERVER_CLOSE:
					state = CLT_CLOSE;
					break;
				default:
					state = client_unexpected(message);
					break;
				}
				break;
			}
			break;

		case CLT_CLOSE:
			client_send(CLIENT_CLOSE);
			return 0;

		case CLT_REFUSE:
			client_send(CLIENT_ALERT);
			return -1;

		default:
			return -1;
		}
	}
}
