/*
 * Stands in front of the C library (LD_PRELOAD) of a service under test, with two kinds of trouble that no test can
 * make otherwise:
 *
 *   TROUBLE_SLOW_SYNC     a file; as long as it is there, each fsync and fdatasync takes longer
 *   TROUBLE_SYNC_SECONDS  by so many seconds
 *   TROUBLE_CLOCK_OFFSET  seconds that the clock is ahead, or behind where they are negative
 *   TROUBLE_CLOCK_FILE    a file of 8 octets with such a number, which may change at any time
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void wait_while_slow(void) {
  const char *flag = getenv("TROUBLE_SLOW_SYNC");
  const char *seconds = getenv("TROUBLE_SYNC_SECONDS");
  struct timespec longer = {seconds == NULL ? 0 : atol(seconds), 0};
  if (flag != NULL && access(flag, F_OK) == 0) nanosleep(&longer, NULL);
}

static long fixed_offset(void) {
  const char *offset = getenv("TROUBLE_CLOCK_OFFSET");
  return offset == NULL ? 0 : atol(offset);
}

static const volatile long *changing_offset(void) {
  static const long none = 0;
  const char *path = getenv("TROUBLE_CLOCK_FILE");
  int file = path == NULL ? -1 : open(path, O_RDONLY);
  if (file < 0) return &none;
  const long *shared = mmap(NULL, sizeof(long), PROT_READ, MAP_SHARED, file, 0);
  close(file);
  return shared == MAP_FAILED ? &none : shared;
}

static long clock_offset(void) {
  static const volatile long *changing;
  if (changing == NULL) changing = changing_offset();
  return fixed_offset() + *changing;
}

int fsync(int fd) {
  int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
  wait_while_slow();
  return real(fd);
}

int fdatasync(int fd) {
  int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync");
  wait_while_slow();
  return real(fd);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  if (real == NULL) real = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, time);
  if (clock == CLOCK_REALTIME) time->tv_sec += clock_offset();
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  static int (*real)(struct timeval *, void *);
  if (real == NULL) real = dlsym(RTLD_NEXT, "gettimeofday");
  int result = real(time, zone);
  time->tv_sec += clock_offset();
  return result;
}
