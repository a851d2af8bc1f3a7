/* Preloaded into a process, it counts the calls that change anything beneath one folder, in all threads, and at one of
 * them ends the process or lets the call fail. Until `proof_arm` it does nothing. Calls beneath other folders pass. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* KILL before the call; HALF: a write takes half, any other call is done, then the kill; SHORT: a write takes half;
 * FAIL with `error`, a write that finds the disk full taking half first; LASTING: every later call fails too. */
enum { NOTHING, KILL, HALF, SHORT, FAIL, LASTING };

static char root[PATH_MAX];
static size_t root_length;
static int fault, error_number, trace = -1;
static atomic_int at, count, paused;

#define EXPORT __attribute__((visibility("default")))
/* Once looked up, kept: the look-up takes a lock that a fork could copy as held. */
#define NEXT(name)                                                                                                     \
    static __typeof__(&name) next;                                                                                     \
    if (next == NULL)                                                                                                  \
        next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

EXPORT void proof_arm(const char *folder, int at_call, int what, int error, int trace_descriptor) {
    root_length = 0;
    count = 0;
    at = at_call;
    fault = what;
    error_number = error;
    trace = trace_descriptor;
    paused = 0;
    if (folder != NULL && realpath(folder, root) != NULL)
        root_length = strlen(root);
}

EXPORT int proof_count(void) { return count; }

/* What the test itself writes, as another program would, is not counted. */
EXPORT void proof_pause(int on) { paused = on; }

static int beneath(const char *path) {
    return strncmp(path, root, root_length) == 0 && (path[root_length] == '/' || path[root_length] == '\0');
}

static int of_descriptor(int descriptor, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0)
        return 0;
    path[length] = '\0';
    return 1;
}

static int resolve(int folder, const char *name, char *path) {
    if (name == NULL)
        return 0;
    if (name[0] == '/')
        return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX;
    char base[PATH_MAX];
    if (folder == AT_FDCWD ? getcwd(base, sizeof base) == NULL : !of_descriptor(folder, base))
        return 0;
    return snprintf(path, PATH_MAX, "%s/%s", base, name) < PATH_MAX;
}

static _Noreturn void end_process(void) {
    for (;;)
        syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
}

static void note(int number, const char *call, const char *path) {
    char line[PATH_MAX + 64];
    int length = snprintf(line, sizeof line, "%d %s %s\n", number, call, path);
    if (trace >= 0)
        syscall(SYS_write, trace, line, (size_t)length);
}

enum { GO, REFUSE, DO_HALF, DO_THEN_DIE };

/* What becomes of this call. */
static int gate(const char *call, const char *path, int is_write) {
    if (root_length == 0 || paused || !beneath(path))
        return GO;
    int number = ++count, place = at;
    note(number, call, path);
    if (place <= 0 || (fault == LASTING ? number < place : number != place))
        return GO;
    switch (fault) {
    case KILL:
        end_process();
    case HALF:
        return DO_THEN_DIE;
    case SHORT:
        return is_write ? DO_HALF : GO;
    case FAIL:
        if (is_write && error_number == ENOSPC) {
            error_number = -ENOSPC;
            at = number + 1;
            return DO_HALF;
        }
        break;
    case LASTING:
        /* A full disk still lets go of names and bytes; one that became read-only does not. */
        if (error_number == ENOSPC && (strcmp(call, "unlink") == 0 || strcmp(call, "ftruncate") == 0))
            return GO;
        break;
    default:
        return GO;
    }
    errno = abs(error_number);
    return REFUSE;
}

static int gate_at(const char *call, int folder, const char *name) {
    char path[PATH_MAX];
    int saved = errno;
    int outcome = root_length && resolve(folder, name, path) ? gate(call, path, 0) : GO;
    if (outcome != REFUSE)
        errno = saved;
    return outcome;
}

static int gate_descriptor(const char *call, int descriptor, int is_write) {
    char path[PATH_MAX];
    int saved = errno;
    int outcome = root_length && of_descriptor(descriptor, path) ? gate(call, path, is_write) : GO;
    if (outcome != REFUSE)
        errno = saved;
    return outcome;
}

/* The real call between its two possible ends. */
#define THROUGH(outcome, real)                                                                                         \
    do {                                                                                                               \
        int ended = (outcome);                                                                                          \
        if (ended == REFUSE)                                                                                            \
            return -1;                                                                                                 \
        __typeof__(real) answer = (real);                                                                              \
        if (ended == DO_THEN_DIE)                                                                                       \
            end_process();                                                                                             \
        return answer;                                                                                                 \
    } while (0)

static int changes(int flags) { return (flags & (O_CREAT | O_TRUNC)) != 0; }

#define OPEN(name)                                                                                                     \
    EXPORT int name(const char *path, int flags, ...) {                                                                \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode_t mode = changes(flags) ? va_arg(rest, mode_t) : 0;                                                       \
        va_end(rest);                                                                                                  \
        NEXT(name);                                                                                                    \
        THROUGH(changes(flags) ? gate_at("open", AT_FDCWD, path) : GO, next(path, flags, mode));                       \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                                                   \
    EXPORT int name(int folder, const char *path, int flags, ...) {                                                    \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode_t mode = changes(flags) ? va_arg(rest, mode_t) : 0;                                                       \
        va_end(rest);                                                                                                  \
        NEXT(name);                                                                                                    \
        THROUGH(changes(flags) ? gate_at("open", folder, path) : GO, next(folder, path, flags, mode));                 \
    }
OPENAT(openat)
OPENAT(openat64)

#define HALVED(fate, size) ((fate) == GO || (size) < 2 ? (size) : (size) / 2)

EXPORT ssize_t write(int descriptor, const void *data, size_t size) {
    NEXT(write);
    int fate = gate_descriptor("write", descriptor, 1);
    THROUGH(fate, next(descriptor, data, HALVED(fate, size)));
}

#define PWRITE(name, offset_type)                                                                                      \
    EXPORT ssize_t name(int descriptor, const void *data, size_t size, offset_type offset) {                           \
        NEXT(name);                                                                                                    \
        int fate = gate_descriptor("write", descriptor, 1);                                                            \
        THROUGH(fate, next(descriptor, data, HALVED(fate, size), offset));                                             \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

EXPORT ssize_t writev(int descriptor, const struct iovec *parts, int number) {
    NEXT(writev);
    int fate = gate_descriptor("write", descriptor, 1);
    THROUGH(fate, next(descriptor, parts, fate == GO || number < 2 ? number : number / 2));
}

#define SENDFILE(name, offset_type)                                                                                    \
    EXPORT ssize_t name(int target, int source, offset_type *offset, size_t size) {                                    \
        NEXT(name);                                                                                                    \
        THROUGH(gate_descriptor("write", target, 0), next(target, source, offset, size));                              \
    }
ssize_t sendfile(int, int, off_t *, size_t);
ssize_t sendfile64(int, int, off64_t *, size_t);
SENDFILE(sendfile, off_t)
SENDFILE(sendfile64, off64_t)

#define OF_DESCRIPTOR(name, label, declared, ...)                                                                      \
    EXPORT int name declared {                                                                                         \
        NEXT(name);                                                                                                    \
        THROUGH(gate_descriptor(label, descriptor, 0), next(__VA_ARGS__));                                             \
    }
OF_DESCRIPTOR(fsync, "fsync", (int descriptor), descriptor)
OF_DESCRIPTOR(fdatasync, "fsync", (int descriptor), descriptor)
OF_DESCRIPTOR(fchmod, "chmod", (int descriptor, mode_t mode), descriptor, mode)
OF_DESCRIPTOR(ftruncate, "ftruncate", (int descriptor, off_t size), descriptor, size)
OF_DESCRIPTOR(ftruncate64, "ftruncate", (int descriptor, off64_t size), descriptor, size)

#define OF_PATH(name, label, folder, path, declared, ...)                                                              \
    EXPORT int name declared {                                                                                         \
        NEXT(name);                                                                                                    \
        THROUGH(gate_at(label, folder, path), next(__VA_ARGS__));                                                      \
    }
OF_PATH(truncate, "ftruncate", AT_FDCWD, path, (const char *path, off_t size), path, size)
OF_PATH(truncate64, "ftruncate", AT_FDCWD, path, (const char *path, off64_t size), path, size)
OF_PATH(unlink, "unlink", AT_FDCWD, path, (const char *path), path)
OF_PATH(unlinkat, "unlink", folder, path, (int folder, const char *path, int flags), folder, path, flags)
OF_PATH(rmdir, "unlink", AT_FDCWD, path, (const char *path), path)
OF_PATH(mkdir, "mkdir", AT_FDCWD, path, (const char *path, mode_t mode), path, mode)
OF_PATH(mkdirat, "mkdir", folder, path, (int folder, const char *path, mode_t mode), folder, path, mode)
OF_PATH(symlink, "link", AT_FDCWD, path, (const char *target, const char *path), target, path)
OF_PATH(symlinkat, "link", folder, path, (const char *target, int folder, const char *path), target, folder, path)
OF_PATH(link, "link", AT_FDCWD, path, (const char *source, const char *path), source, path)
OF_PATH(linkat, "link", to, path, (int from, const char *source, int to, const char *path, int flags), from, source,
        to, path, flags)
OF_PATH(rename, "rename", AT_FDCWD, path, (const char *source, const char *path), source, path)
OF_PATH(renameat, "rename", to, path, (int from, const char *source, int to, const char *path), from, source, to, path)
OF_PATH(renameat2, "rename", to, path,
        (int from, const char *source, int to, const char *path, unsigned int flags), from, source, to, path, flags)

/* A program may name the call by its number. */
EXPORT long syscall(long number, ...) {
    va_list rest;
    va_start(rest, number);
    long a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long);
    long d = va_arg(rest, long), e = va_arg(rest, long), f = va_arg(rest, long);
    va_end(rest);
    static long (*next)(long, ...);
    if (next == NULL)
        next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    int fate = number == SYS_renameat2 ? gate_at("rename", (int)c, (const char *)d) : GO;
    THROUGH(fate, next(number, a, b, c, d, e, f));
}
