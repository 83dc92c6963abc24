// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "clock.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_THREADS 4096
#define JUMP_BYTES 5

// What takes the place of the vdso's functions. Nothing in it depends on where it is.
__asm__(
    ".pushsection .rodata\n"
    "code_begin:\n"

    "code_clock_gettime:\n"
    "  mov $228, %eax\n"
    "  syscall\n"
    "  test %eax, %eax\n"
    "  jnz 2f\n"
    "  test %edi, %edi\n"  // CLOCK_REALTIME
    "  jz 1f\n"
    "  cmp $5, %edi\n"  // CLOCK_REALTIME_COARSE
    "  jne 2f\n"
    "1: mov code_seconds(%rip), %rcx\n"
    "  add %rcx, (%rsi)\n"
    "2: ret\n"

    "code_gettimeofday:\n"
    "  mov $96, %eax\n"
    "  syscall\n"
    "  test %eax, %eax\n"
    "  jnz 3f\n"
    "  test %rdi, %rdi\n"
    "  jz 3f\n"
    "  mov code_seconds(%rip), %rcx\n"
    "  add %rcx, (%rdi)\n"
    "3: ret\n"

    "code_time:\n"
    "  mov $201, %eax\n"
    "  syscall\n"
    "  add code_seconds(%rip), %rax\n"
    "  test %rdi, %rdi\n"
    "  jz 4f\n"
    "  mov %rax, (%rdi)\n"
    "4: ret\n"

    "  .balign 8\n"
    "code_seconds: .quad 0\n"
    "code_end:\n"
    ".popsection\n");

extern const uint8_t code_begin[], code_clock_gettime[], code_gettimeofday[], code_time[],
    code_seconds[], code_end[];

static const struct {
  const char *name;
  const uint8_t *code;
} functions[] = {
    {"__vdso_clock_gettime", code_clock_gettime},
    {"__vdso_gettimeofday", code_gettimeofday},
    {"__vdso_time", code_time},
};
#define FUNCTIONS (sizeof functions / sizeof functions[0])

static _Noreturn void die(const char *what) {
  perror(what);
  exit(111);
}

// Of a function from the beginning of the vdso, which is the same for all processes.
static size_t offset_of(const char *function) {
  void *vdso = dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_NOLOAD);
  uint8_t *address = vdso ? dlsym(vdso, function) : NULL;
  if (!address) die(function);
  return (size_t)(address - (uint8_t *)getauxval(AT_SYSINFO_EHDR));
}

static bool find_vdso(pid_t process, uint64_t *begin, uint64_t *end) {
  char path[64], line[512];
  bool found = false;
  snprintf(path, sizeof path, "/proc/%d/maps", process);
  FILE *maps = fopen(path, "r");
  while (maps && !found && fgets(line, sizeof line, maps)) {
    found = strstr(line, "[vdso]") && sscanf(line, "%lx-%lx", begin, end) == 2;
  }
  if (maps) fclose(maps);
  return found;
}

// ---- the other threads

struct threads {
  size_t count;
  struct thread {
    pid_t id;
    int signal;  // was about to be delivered
  } all[MAX_THREADS];
};

static bool is_known(const struct threads *threads, pid_t id) {
  for (size_t i = 0; i < threads->count; i++) {
    if (threads->all[i].id == id) return true;
  }
  return false;
}

static void stop(struct threads *threads, pid_t id) {
  int status;
  // It may be ending.
  if (ptrace(PTRACE_SEIZE, id, 0, 0) != 0 || ptrace(PTRACE_INTERRUPT, id, 0, 0) != 0) return;
  if (waitpid(id, &status, __WALL) != id || !WIFSTOPPED(status)) return;
  int signal = status >> 16 == PTRACE_EVENT_STOP ? 0 : WSTOPSIG(status);
  threads->all[threads->count++] = (struct thread){id, signal};
}

static void stop_all(struct threads *threads, pid_t process, pid_t held) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", process);
  size_t before;
  // Until there are no new ones.
  do {
    before = threads->count;
    DIR *folder = opendir(path);
    struct dirent *entry;
    while (folder && (entry = readdir(folder)) && threads->count < MAX_THREADS) {
      pid_t id = atoi(entry->d_name);
      if (id > 0 && id != held && !is_known(threads, id)) stop(threads, id);
    }
    if (folder) closedir(folder);
  } while (threads->count > before);
}

static void continue_all(const struct threads *threads) {
  for (size_t i = 0; i < threads->count; i++) {
    ptrace(PTRACE_DETACH, threads->all[i].id, 0, threads->all[i].signal);
  }
}

// True if a thread has begun what is about to be written over.
static bool is_within(const struct threads *threads, uint64_t function) {
  for (size_t i = 0; i < threads->count; i++) {
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, threads->all[i].id, 0, &registers) == 0 &&
        registers.rip > function && registers.rip < function + JUMP_BYTES) {
      return true;
    }
  }
  return false;
}

// ---- the jump

static void exchange(pid_t process, uint64_t begin, uint64_t end, long seconds) {
  size_t size = (size_t)(code_end - code_begin);
  uint8_t code[512], there[512];
  char path[64];
  if (size > sizeof code) die("code");
  memcpy(code, code_begin, size);
  memcpy(code + (code_seconds - code_begin), &seconds, sizeof seconds);
  snprintf(path, sizeof path, "/proc/%d/mem", process);
  int memory = open(path, O_RDWR | O_CLOEXEC);
  // The end of the last page is free, or has the code of the last jump.
  uint64_t at = (end - size) & ~(uint64_t)15;
  if (memory < 0 || pread(memory, there, size, (off_t)at) != (ssize_t)size) die(path);
  bool is_free = true, is_ours = true;
  for (size_t i = 0; i < size; i++) {
    is_free &= there[i] == 0;
    is_ours &= there[i] == code[i] || i >= (size_t)(code_seconds - code_begin);
  }
  if (!is_free && !is_ours) die("no room in the vdso");
  if (pwrite(memory, code, size, (off_t)at) != (ssize_t)size) die("write to the vdso");
  for (size_t i = 0; i < FUNCTIONS; i++) {
    uint64_t function = begin + offset_of(functions[i].name);
    uint64_t target = at + (uint64_t)(functions[i].code - code_begin);
    int32_t distance = (int32_t)(target - function - JUMP_BYTES);
    uint8_t jump[JUMP_BYTES] = {0xe9};
    memcpy(jump + 1, &distance, sizeof distance);
    if (pwrite(memory, jump, sizeof jump, (off_t)function) != sizeof jump) die("write to the vdso");
  }
  close(memory);
}

void clock_jump(pid_t process, pid_t held, long seconds) {
  static struct threads threads;
  uint64_t begin, end;
  bool busy;
  if (!find_vdso(process, &begin, &end)) die("find the vdso");
  do {
    busy = false;
    threads.count = 0;
    stop_all(&threads, process, held);
    for (size_t i = 0; i < FUNCTIONS; i++) {
      busy |= is_within(&threads, begin + offset_of(functions[i].name));
    }
    if (!busy) exchange(process, begin, end, seconds);
    continue_all(&threads);
  } while (busy);
}
