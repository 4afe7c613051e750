// Error numbers and the routines that the fragments of this folder share.
// Objects of the kernel (inodes, sockets, files, pages) are known by a positive
// number here; 0 stands for "none".

enum errors { ENFILE = 23, ENOMEM = 12, EBADF = 9, EINVAL = 22, EAFNOSUPPORT = 97, EPIPE = 32 };
enum limits { AF_MAX = 32 };

int new_inode(void);           // a fresh inode, or 0 when there is none left
void init_socket(int sock);    // fills in an empty socket
void release_socket(int sock); // gives a socket back
int family_known(int family);  // whether a protocol for this family is there
int create_protocol(int sock, int family, int type); // 0, or a negative error
int map_descriptor(int sock);  // a file descriptor (>= 0), or a negative error
int find_socket(int fd, int flags); // the socket behind a descriptor, or 0
int copy_message(int length);  // 0, or a negative error
int check_permission(int sock); // 0, or a negative error
int transmit(int sock, int length); // bytes sent, or a negative error
void put_socket(int sock);     // ends the use that find_socket began

int sock_alloc(void);
int sock_sendmsg(int sock, int length);
int sys_sendto(int fd, int length, int flags, int addr);
