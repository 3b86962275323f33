/*
 * Loaded before a program (LD_PRELOAD): system calls on files fail at random, without effect or after
 * having taken effect, as they do on network drives. Each line of the file FAILING_CALLS is
 *
 *   call errno percent after skip part
 *
 * and is about calls whose path contains `part`; the first `skip` of them go through. The same seed,
 * FAILING_SEED, gives the same numbers.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define RULES 64

struct rule {
  char call[16];
  int error, percent, after, skip;
  char part[256];
};

static struct rule rules[RULES];
static int count;
static struct timespec read_at;
static off_t read_size = -1;
static unsigned long long numbers;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void read_rules(void) {
  const char *file = getenv("FAILING_CALLS");
  struct stat now;
  if (!file || stat(file, &now) != 0) return;
  if (now.st_size == read_size && !memcmp(&now.st_mtim, &read_at, sizeof read_at)) return;
  read_at = now.st_mtim;
  read_size = now.st_size;
  count = 0;
  const char *seed = getenv("FAILING_SEED");
  numbers = seed ? strtoull(seed, NULL, 10) : 1;
  char text[RULES * 300];
  int opened = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDONLY | O_CLOEXEC, 0);
  if (opened < 0) return;
  long length = syscall(SYS_read, opened, text, sizeof text - 1);
  syscall(SYS_close, opened);
  text[length < 0 ? 0 : length] = 0;
  char *rest = text, *line;
  while (count < RULES && (line = strsep(&rest, "\n"))) {
    struct rule *rule = &rules[count];
    if (sscanf(line, "%15s %d %d %d %d %255s", rule->call, &rule->error, &rule->percent,
               &rule->after, &rule->skip, rule->part) == 6)
      count++;
  }
}

static int chance(void) {
  numbers = numbers * 6364136223846793005ULL + 1442695040888963407ULL;
  return (int)((numbers >> 33) % 100);
}

/* The error to report, or 0; `after` says whether the call is made first. */
static int failure(const char *call, const char *path, int *after) {
  if (!path) return 0;
  int found = 0;
  pthread_mutex_lock(&mutex);
  read_rules();
  for (int n = 0; n < count && !found; n++) {
    struct rule *rule = &rules[n];
    if (strcmp(rule->call, call) || !strstr(path, rule->part)) continue;
    if (rule->skip > 0) {
      rule->skip--;
      continue;
    }
    if (chance() >= rule->percent) continue;
    found = rule->error;
    *after = rule->after;
  }
  pthread_mutex_unlock(&mutex);
  return found;
}

static const char *path_of(int descriptor, char *into) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, into, PATH_MAX - 1);
  if (length < 0) return NULL;
  into[length] = 0;
  return into;
}

/* A path that begins with an open folder, as that of the folder. */
static const char *whole(const char *path, char *into) {
  static const char open_folder[] = "/proc/self/fd/";
  if (!path || strncmp(path, open_folder, sizeof open_folder - 1)) return path;
  const char *name = strchr(path + sizeof open_folder - 1, '/');
  if (!path_of(atoi(path + sizeof open_folder - 1), into)) return path;
  if (name) strncat(into, name, PATH_MAX - strlen(into) - 1);
  return into;
}

#define FAILING(call, path, real)             \
  char place[PATH_MAX];                       \
  int after = 0;                              \
  int error = failure(call, path, &after);    \
  if (error && !after) {                      \
    errno = error;                            \
    return -1;                                \
  }                                           \
  long result = real;                         \
  if (error && result >= 0) {                 \
    errno = error;                            \
    return -1;                                \
  }                                           \
  return result;

int rename(const char *from, const char *to) {
  FAILING("rename", whole(to, place), syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to))
}

int link(const char *from, const char *to) {
  FAILING("link", whole(to, place), syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0))
}

int unlink(const char *path) {
  FAILING("unlink", whole(path, place), syscall(SYS_unlinkat, AT_FDCWD, path, 0))
}

int fsync(int descriptor) {
  FAILING("fsync", path_of(descriptor, place), syscall(SYS_fsync, descriptor))
}

int fdatasync(int descriptor) {
  FAILING("fsync", path_of(descriptor, place), syscall(SYS_fdatasync, descriptor))
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
  if (descriptor < 3) return syscall(SYS_write, descriptor, bytes, length);
  FAILING("write", path_of(descriptor, place), syscall(SYS_write, descriptor, bytes, length))
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off_t at) {
  FAILING("write", path_of(descriptor, place),
          syscall(SYS_pwrite64, descriptor, bytes, length, at))
}

/* A folder is opened to be read; only what makes or opens a file fails. */
static int open_failing(const char *path, int flags, int mode) {
  if (flags & O_DIRECTORY) return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  FAILING("open", whole(path, place), syscall(SYS_openat, AT_FDCWD, path, flags, mode))
}

#define MODE(flags)                      \
  int mode = 0;                          \
  if (flags & (O_CREAT | __O_TMPFILE)) { \
    va_list more;                        \
    va_start(more, flags);               \
    mode = va_arg(more, int);            \
    va_end(more);                        \
  }

int open(const char *path, int flags, ...) {
  MODE(flags)
  return open_failing(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE(flags)
  return open_failing(path, flags, mode);
}
