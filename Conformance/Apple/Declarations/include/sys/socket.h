// Declarations of ours; see darwin.h.
// Pages: man 2 and man 3 and the name; man 4 tcp, man 4 ip6, man 4 netintro, man 4 unix.
#pragma once
#include "../_types.h"
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 30
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOL_SOCKET 0xffff
#define SO_REUSEADDR 0x0004
#define SO_NOSIGPIPE 0x1022
#define SO_ERROR 0x1007
#define SO_LINGER 0x0080
#define SO_SNDTIMEO 0x1005
#define SO_RCVTIMEO 0x1006
#define SO_RCVBUF 0x1002
#define IPPROTO_TCP 6
#define IPPROTO_IPV6 41
#define IPV6_V6ONLY 27
#define TCP_NODELAY 1
#define SOMAXCONN 128
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
#define MSG_PEEK 2
#define MSG_DONTWAIT 0x80
#define MSG_NOSIGNAL 0x80000
#define INADDR_LOOPBACK ((uint32_t)0x7f000001)
#define INADDR_NONE ((uint32_t)0xffffffff)
#define AI_NUMERICHOST 4
#define AI_NUMERICSERV 0x1000
#define NI_NUMERICHOST 2
#define IFF_UP 1
#define IFF_LOOPBACK 8
#define IFF_POINTOPOINT 0x10
#define IFF_RUNNING 0x40
#define POLLIN 1
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 16
#define POLLNVAL 32
struct sockaddr { uint8_t sa_len; sa_family_t sa_family; char sa_data[14]; };
struct sockaddr_storage { uint8_t ss_len; sa_family_t ss_family; char __pad[126]; };
struct in_addr { in_addr_t s_addr; };
struct in6_addr { union { uint8_t __u6_addr8[16]; uint16_t __u6_addr16[8]; uint32_t __u6_addr32[4]; } __u6_addr; };
struct sockaddr_in { uint8_t sin_len; sa_family_t sin_family; in_port_t sin_port; struct in_addr sin_addr; char sin_zero[8]; };
struct sockaddr_in6 {
    uint8_t sin6_len;
    sa_family_t sin6_family;
    in_port_t sin6_port;
    uint32_t sin6_flowinfo;
    struct in6_addr sin6_addr;
    uint32_t sin6_scope_id;
};
struct sockaddr_un { unsigned char sun_len; sa_family_t sun_family; char sun_path[104]; };
struct linger { int l_onoff; int l_linger; };
struct addrinfo {
    int ai_flags, ai_family, ai_socktype, ai_protocol;
    socklen_t ai_addrlen;
    char *_Null_unspecified ai_canonname;
    struct sockaddr *_Null_unspecified ai_addr;
    struct addrinfo *_Null_unspecified ai_next;
};
struct ifaddrs {
    struct ifaddrs *_Null_unspecified ifa_next;
    char *_Null_unspecified ifa_name;
    unsigned int ifa_flags;
    struct sockaddr *_Null_unspecified ifa_addr, *_Null_unspecified ifa_netmask, *_Null_unspecified ifa_dstaddr;
    void *_Null_unspecified ifa_data;
};
struct pollfd { int fd; short events; short revents; };
int socket(int domain, int type, int protocol);
int socketpair(int domain, int type, int protocol, int *_Nonnull descriptors);
int bind(int socket, const struct sockaddr *address, socklen_t length);
int connect(int socket, const struct sockaddr *address, socklen_t length);
int listen(int socket, int backlog);
int accept(int socket, struct sockaddr *_Nullable address, socklen_t *_Nullable length);
int shutdown(int socket, int how);
int getsockname(int socket, struct sockaddr *_Nullable address, socklen_t *_Nullable length);
int getpeername(int socket, struct sockaddr *_Nullable address, socklen_t *_Nullable length);
int getpeereid(int socket, uid_t *user, gid_t *group);
int getsockopt(int socket, int level, int option, void *_Nullable value, socklen_t *_Nullable length);
int setsockopt(int socket, int level, int option, const void *_Nullable value, socklen_t length);
ssize_t send(int socket, const void *_Nullable bytes, size_t count, int flags);
ssize_t sendto(
    int socket, const void *_Nullable bytes, size_t count, int flags, const struct sockaddr *_Nullable address, socklen_t length);
ssize_t recv(int socket, void *_Nullable bytes, size_t count, int flags);
int poll(struct pollfd *descriptors, nfds_t count, int milliseconds);
int getaddrinfo(
    const char *_Nullable host, const char *_Nullable service, const struct addrinfo *_Nullable hints,
    struct addrinfo *_Nullable *_Nonnull result);
void freeaddrinfo(struct addrinfo *_Nullable result);
const char *_Null_unspecified gai_strerror(int code);
int getnameinfo(
    const struct sockaddr *address, socklen_t length, char *_Nullable host, socklen_t hostLength,
    char *_Nullable service, socklen_t serviceLength, int flags);
int getifaddrs(struct ifaddrs *_Nullable *_Nonnull result);
void freeifaddrs(struct ifaddrs *_Nullable result);
in_addr_t inet_addr(const char *text);
int inet_pton(int family, const char *text, void *address);
const char *_Nullable inet_ntop(int family, const void *address, char *_Nullable text, socklen_t size);
