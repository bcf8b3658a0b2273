/* Lets libcamera's virtual camera have its frame buffers on a kernel without dma-buf providers.
 *
 * Loaded before the C library (LD_PRELOAD). The two device files from which libcamera and picamera2
 * take buffers are opened as empty memory files; asked for a buffer, they give another memory file,
 * which is mapped and read like a dma-buf. Enough for buffers that only the processor touches.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES 1024
static char is_provider[FILES];
static int (*real_open)(const char *, int, ...);
static int (*real_open64)(const char *, int, ...);
static int (*real_close)(int);
static int (*real_ioctl)(int, unsigned long, ...);

/* All at once, before any library starts a thread: later the loader's lock may be taken. */
__attribute__((constructor)) static void find_real_ones(void)
{
	real_open = dlsym(RTLD_NEXT, "open");
	real_open64 = dlsym(RTLD_NEXT, "open64");
	real_close = dlsym(RTLD_NEXT, "close");
	real_ioctl = dlsym(RTLD_NEXT, "ioctl");
}

static int open_provider(const char *path)
{
	static const char *const names[] = { "/dev/udmabuf", "/dev/dma_heap/linux,cma", "/dev/dma_heap/system" };
	for (unsigned i = 0; path && i < sizeof names / sizeof *names; i++) {
		if (strcmp(path, names[i]) == 0) {
			int fd = memfd_create("provider", MFD_CLOEXEC);
			if (fd >= 0 && fd < FILES)
				is_provider[fd] = 1;
			return fd;
		}
	}
	return -1;
}

int open(const char *path, int flags, ...)
{
	va_list rest;
	va_start(rest, flags);
	mode_t mode = va_arg(rest, mode_t);
	va_end(rest);
	int fd = open_provider(path);
	return fd >= 0 ? fd : real_open(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	va_list rest;
	va_start(rest, flags);
	mode_t mode = va_arg(rest, mode_t);
	va_end(rest);
	int fd = open_provider(path);
	return fd >= 0 ? fd : real_open64(path, flags, mode);
}

int close(int fd)
{
	if (fd >= 0 && fd < FILES)
		is_provider[fd] = 0;
	return real_close(fd);
}

static int buffer_of(struct dma_heap_allocation_data *wanted)
{
	int fd = memfd_create("buffer", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, wanted->len) < 0)
		return -1;
	wanted->fd = fd;
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list rest;
	va_start(rest, request);
	void *argument = va_arg(rest, void *);
	va_end(rest);
	if (request == DMA_BUF_IOCTL_SYNC || request == DMA_BUF_SET_NAME_A || request == DMA_BUF_SET_NAME_B)
		return 0;
	if (fd < 0 || fd >= FILES || !is_provider[fd])
		return real_ioctl(fd, request, argument);
	if (request == DMA_HEAP_IOCTL_ALLOC)
		return buffer_of(argument);
	if (request == UDMABUF_CREATE)
		return fcntl(((struct udmabuf_create *)argument)->memfd, F_DUPFD_CLOEXEC, 0);
	errno = ENOTTY;
	return -1;
}
