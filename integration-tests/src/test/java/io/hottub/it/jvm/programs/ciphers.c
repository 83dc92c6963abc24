// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// Changes state of OpenSSL, whose headers need not be there.

#include <jni.h>
#include <stdio.h>
#include <string.h>

typedef void context;

int OBJ_create(const char *oid, const char *name, const char *long_name);
int OBJ_txt2nid(const char *name);
int CRYPTO_get_ex_new_index(int class, long value, void *pointer, void *new, void *dup, void *free);
void ERR_new(void);
void ERR_set_error(int library, int reason, const char *format, ...);
unsigned long ERR_peek_last_error(void);
int ERR_get_next_error_library(void);
int RAND_bytes(unsigned char *bytes, int count);
int EVP_Digest(const void *data, size_t size, unsigned char *result, unsigned *length,
               const context *kind, context *engine);
const context *EVP_sha256(void);
const context *TLS_method(void);
context *SSL_CTX_new(const context *method);
void SSL_CTX_free(context *context);

JNIEXPORT void JNICALL Java_Pinned_useCiphers(JNIEnv *env, jclass class) {
  unsigned char bytes[64] = "", none[16] = "";
  unsigned length = 0;
  printf("name %d, error %lx\n", OBJ_txt2nid("ownName"), ERR_peek_last_error());
  printf("new name %d\n", OBJ_create("1.3.6.1.4.1.99999.1", "ownName", "name of its own"));
  printf("index %d, library %d\n", CRYPTO_get_ex_new_index(0, 0, NULL, NULL, NULL, NULL),
         ERR_get_next_error_library());
  ERR_new();
  ERR_set_error(ERR_get_next_error_library(), 5, "left");
  printf("error %lx\n", ERR_peek_last_error());
  int is_random = RAND_bytes(bytes, sizeof none);
  printf("random %d %d\n", is_random, memcmp(bytes, none, sizeof none) != 0);
  EVP_Digest("abc", 3, bytes, &length, EVP_sha256(), NULL);
  printf("digest of %u: %02x%02x\n", length, bytes[0], bytes[1]);
  context *tls = SSL_CTX_new(TLS_method());
  printf("tls %d\n", tls != NULL);
  SSL_CTX_free(tls);
  fflush(stdout);
}
