#include "CDepthPartFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

int cpf_memory_file(const void *bytes, size_t count) {
#ifdef __linux__
  const int file = (int)syscall(SYS_memfd_create, "swift-depth", 1u /* MFD_CLOEXEC */);
#else
  FILE *unnamed = tmpfile();
  const int file = unnamed ? fcntl(fileno(unnamed), F_DUPFD_CLOEXEC, 0) : -1;
  if (unnamed) fclose(unnamed);
#endif
  if (file < 0) return -1;
  for (size_t done = 0; done < count;) {
    const ssize_t written = write(file, (const char *)bytes + done, count - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int reason = errno;
      close(file);
      errno = reason;
      return -1;
    }
    done += (size_t)written;
  }
  return file;
}
