// What client.c and server.c share: the messages, and the routines that carry them.
// What the routines do is said in lib.spec. Each message is one action, named there;
// sending it in one component and receiving it in the other are the same action.

#ifndef MESSAGES_H
#define MESSAGES_H

enum message {
	NO_MESSAGE = 0, // the other side is silent, or the connection is gone

	// from client to server
	CLIENT_HELLO = 1,          // asks for a new session
	CLIENT_HELLO_RESUME = 2,   // offers an old one
	CLIENT_CERTIFICATE = 3,
	CLIENT_NO_CERTIFICATE = 4, // SSL 3.0: a warning in place of the certificate
	CLIENT_KEY_EXCHANGE = 5,
	CERTIFICATE_VERIFY = 6,
	CLIENT_CHANGE_CIPHER = 7,
	CLIENT_FINISHED = 8,
	CLIENT_DATA = 9,
	CLIENT_WARNING = 10,       // will not renegotiate
	CLIENT_CLOSE = 11,
	CLIENT_ALERT = 12,         // fatal

	// from server to client
	HELLO_REQUEST = 21,
	SERVER_HELLO_RSA = 22,     // new session, by the kind of key exchange chosen
	SERVER_HELLO_DHE = 23,
	SERVER_HELLO_ANON = 24,
	SERVER_HELLO_RESUMED = 25, // the session offered goes on
	SERVER_CERTIFICATE = 26,
	SERVER_KEY_EXCHANGE = 27,
	CERTIFICATE_REQUEST = 28,
	SERVER_HELLO_DONE = 29,
	SERVER_CHANGE_CIPHER = 30,
	SERVER_FINISHED = 31,
	SERVER_DATA = 32,
	SERVER_CLOSE = 33,
	SERVER_ALERT = 34          // fatal
};

enum cipher {
	CIPHER_NONE = 0,
	CIPHER_RSA = 1,  // certificate, no server key exchange
	CIPHER_DHE = 2,  // certificate and server key exchange
	CIPHER_ANON = 3  // no certificate, server key exchange
};

enum job { JOB_SEND = 1, JOB_LISTEN = 2, JOB_RENEGOTIATE = 3, JOB_CLOSE = 4 };

enum limit {
	MAX_HANDSHAKES = 2, // the first one and one renegotiation
	MAX_RETRIES = 2,    // how often a client says hello into the void
	MAX_WARNINGS = 2    // how many warnings a server puts up with
};

// Carry one message; 0, or -1 when it could not be sent (then nobody saw it).
int client_send(int message);
int server_send(int message);

// The next message of the other side, or NO_MESSAGE.
int client_recv(void);
int server_recv(void);

// What the application wants next, one of enum job.
int client_job(void);
int server_job(void);

int certificate_accepted(void); // client: is the server's certificate good? 1 or 0
int signature_accepted(void);   // server: is the client's CertificateVerify good? 1 or 0
int choose_cipher(void);        // server: one of CIPHER_RSA, CIPHER_DHE, CIPHER_ANON
int session_known(void);        // server: is the session offered still in the cache? 1 or 0

#endif
