// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "jar.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "bytes.h"

#define MANIFEST_NAME "META-INF/MANIFEST.MF"
#define MANIFEST_MAX_BYTES (4u * 1024 * 1024)
#define DIRECTORY_MAX_BYTES (64u * 1024 * 1024)

#define END_MAGIC 0x06054b50
#define END_BYTES 22
#define END_SEARCH_BYTES (END_BYTES + 65535)  // a comment of up to 65,535 bytes may follow
#define END64_LOCATOR_MAGIC 0x07064b50
#define END64_LOCATOR_BYTES 20
#define END64_MAGIC 0x06064b50
#define END64_BYTES 56
#define CENTRAL_MAGIC 0x02014b50
#define CENTRAL_BYTES 46
#define LOCAL_MAGIC 0x04034b50
#define LOCAL_BYTES 30
#define CENTRAL_TIME_AT 12
#define LOCAL_TIME_AT 10
#define TIMES_MAX_ENTRIES 2000
#define TIMES_MAX_DIRECTORY (1024u * 1024)

static bool read_at(int fd, uint64_t offset, void *data, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t got = pread(fd, (char *)data + done, length - done, (off_t)(offset + done));
    if (got <= 0) return false;
    done += (size_t)got;
  }
  return true;
}

struct directory {
  uint64_t offset, size;
  uint64_t base;  // bytes before the archive proper, as in self-extracting jars
};

// Where the directory lies in archives that are too big for the 32-bit fields.
static bool find_directory64(int fd, uint64_t end_offset, struct directory *out) {
  uint8_t locator[END64_LOCATOR_BYTES], end[END64_BYTES];
  if (end_offset < sizeof locator ||
      !read_at(fd, end_offset - sizeof locator, locator, sizeof locator) ||
      get_u32(locator) != END64_LOCATOR_MAGIC) {
    return false;
  }
  if (!read_at(fd, get_u64(locator + 8), end, sizeof end) || get_u32(end) != END64_MAGIC) {
    return false;
  }
  out->size = get_u64(end + 40);
  out->offset = get_u64(end + 48);
  return true;
}

static bool find_directory(int fd, struct directory *out) {
  struct stat info;
  if (fstat(fd, &info) != 0 || info.st_size < END_BYTES) return false;
  uint64_t size = (uint64_t)info.st_size;
  size_t length = size < END_SEARCH_BYTES ? (size_t)size : END_SEARCH_BYTES;
  uint8_t *tail = grab(length);
  bool found = false;
  if (read_at(fd, size - length, tail, length)) {
    for (size_t at = length - END_BYTES + 1; at-- > 0 && !found;) {
      if (get_u32(tail + at) != END_MAGIC) continue;
      uint64_t end_offset = size - length + at;
      out->size = get_u32(tail + at + 12);
      out->offset = get_u32(tail + at + 16);
      out->base = 0;
      if (out->size == UINT32_MAX || out->offset == UINT32_MAX) {
        found = find_directory64(fd, end_offset, out);
      } else if (out->size <= end_offset && out->offset <= end_offset - out->size) {
        out->base = end_offset - out->size - out->offset;
        out->offset += out->base;
        found = true;
      }
    }
  }
  free(tail);
  return found && out->size <= DIRECTORY_MAX_BYTES;
}

// Bytes of the entry at that place of the directory; 0 if there is none.
static size_t entry_bytes(const struct directory *directory, const uint8_t *data, size_t at) {
  if (directory->size - at < CENTRAL_BYTES || get_u32(data + at) != CENTRAL_MAGIC) return 0;
  size_t whole =
      CENTRAL_BYTES + get_u16(data + at + 28) + get_u16(data + at + 30) + get_u16(data + at + 32);
  return whole <= directory->size - at ? whole : 0;
}

static bool unpack(const uint8_t *packed, size_t packed_size, char *text, size_t size) {
  z_stream stream = {.next_in = (Bytef *)packed,
                     .avail_in = (uInt)packed_size,
                     .next_out = (Bytef *)text,
                     .avail_out = (uInt)size};
  // Negative window bits: raw deflate, without a zlib header.
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
  int result = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  return result == Z_STREAM_END && stream.total_out == size;
}

static char *read_entry(int fd, const uint8_t *central, uint64_t base) {
  unsigned method = get_u16(central + 10);
  uint32_t packed_size = get_u32(central + 20), size = get_u32(central + 24);
  uint64_t offset = base + get_u32(central + 42);
  uint8_t local[LOCAL_BYTES];
  if (packed_size > MANIFEST_MAX_BYTES || size > MANIFEST_MAX_BYTES ||
      (method != 0 && method != 8) || !read_at(fd, offset, local, sizeof local) ||
      get_u32(local) != LOCAL_MAGIC) {
    return NULL;
  }
  offset += LOCAL_BYTES + get_u16(local + 26) + get_u16(local + 28);
  uint8_t *packed = grab(packed_size);
  char *text = grab(size + 1);
  bool good = read_at(fd, offset, packed, packed_size);
  if (good && method == 0) {
    good = packed_size == size;
    if (good) memcpy(text, packed, size);
  } else if (good) {
    good = unpack(packed, packed_size, text, size);
  }
  free(packed);
  if (good) return text;
  free(text);
  return NULL;
}

static char *find_manifest(int fd) {
  struct directory directory;
  if (!find_directory(fd, &directory)) return NULL;
  uint8_t *data = grab(directory.size);
  char *text = NULL;
  if (read_at(fd, directory.offset, data, directory.size)) {
    size_t whole;
    for (size_t at = 0; (whole = entry_bytes(&directory, data, at)) > 0; at += whole) {
      size_t name = get_u16(data + at + 28);
      if (name == strlen(MANIFEST_NAME) &&
          strncasecmp((char *)data + at + CENTRAL_BYTES, MANIFEST_NAME, name) == 0) {
        text = read_entry(fd, data + at, directory.base);
        break;
      }
    }
  }
  free(data);
  return text;
}

// An entry, from its local header to the end of its data.
struct extent {
  uint64_t begin, end;
};

static bool find_extent(int fd, const uint8_t *central, uint64_t base, struct extent *out) {
  uint8_t local[LOCAL_BYTES];
  uint32_t packed_size = get_u32(central + 20), offset = get_u32(central + 42);
  if (packed_size == UINT32_MAX || offset == UINT32_MAX) return false;
  out->begin = base + offset;
  if (!read_at(fd, out->begin, local, sizeof local) || get_u32(local) != LOCAL_MAGIC) return false;
  out->end = out->begin + LOCAL_BYTES + get_u16(local + 26) + get_u16(local + 28) + packed_size;
  return true;
}

static int compare_extents(const void *a, const void *b) {
  const struct extent *one = a, *other = b;
  return (one->begin > other->begin) - (one->begin < other->begin);
}

static bool add_times(int fd, const struct directory *directory, const uint8_t *data,
                      struct extent *extents, struct jar_times *out) {
  size_t at = 0, count = 0, whole;
  for (; (whole = entry_bytes(directory, data, at)) > 0; at += whole, count++) {
    if (count == TIMES_MAX_ENTRIES ||
        !find_extent(fd, data + at, directory->base, &extents[count])) {
      return false;
    }
    out->places[TIMES_MAX_ENTRIES + count] = directory->offset + at + CENTRAL_TIME_AT;
  }
  if (at != directory->size) return false;
  qsort(extents, count, sizeof *extents, compare_extents);
  for (size_t i = 0; i < count; i++) {
    if (extents[i].end > (i + 1 < count ? extents[i + 1].begin : directory->offset)) return false;
    out->places[i] = extents[i].begin + LOCAL_TIME_AT;
  }
  memmove(out->places + count, out->places + TIMES_MAX_ENTRIES, count * sizeof *out->places);
  out->count = 2 * count;
  return true;
}

bool jar_find_times(int fd, struct jar_times *out) {
  struct directory directory;
  if (!find_directory(fd, &directory) || directory.size > TIMES_MAX_DIRECTORY) return false;
  uint8_t *data = grab(directory.size);
  struct extent *extents = grab(TIMES_MAX_ENTRIES * sizeof *extents);
  out->places = grab(2 * TIMES_MAX_ENTRIES * sizeof *out->places);
  bool good = read_at(fd, directory.offset, data, directory.size) &&
              add_times(fd, &directory, data, extents, out);
  free(extents);
  free(data);
  if (!good) free(out->places);
  return good;
}

// Joins continued lines (a line break and one space), makes every line end a '\n', and cuts after
// the main section.
static void unfold(char *text) {
  char *to = text;
  for (const char *from = text; *from;) {
    if (*from != '\r' && *from != '\n') {
      *to++ = *from++;
      continue;
    }
    from += from[0] == '\r' && from[1] == '\n' ? 2 : 1;
    if (*from == ' ') {
      from++;
    } else if (to == text || to[-1] == '\n') {
      break;
    } else {
      *to++ = '\n';
    }
  }
  *to = '\0';
}

bool jar_read_manifest(int fd, struct manifest *out) {
  out->text = find_manifest(fd);
  if (!out->text) return false;
  unfold(out->text);
  return true;
}

char *manifest_value(const struct manifest *manifest, const char *name) {
  size_t length = strlen(name);
  for (const char *line = manifest->text; *line;) {
    size_t end = strcspn(line, "\n");
    if (strncasecmp(line, name, length) == 0 && line[length] == ':') {
      const char *value = line + length + 1;
      while (*value == ' ') value++;
      return copy_part(value, (size_t)(line + end - value));
    }
    line += end + (line[end] == '\n');
  }
  return NULL;
}
