/*
 * dlopen, dlsym and dlclose for WebAssembly, in place of Emscripten's, whose dlclose frees nothing, whose failed loads
 * leave their name behind, and whose global offset table is one for all modules. Being defined here, those of
 * Emscripten's libc are not linked. The work is done in dynamic_linker.js.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

uintptr_t mt_linker_open(const char* path, char** error);
void* mt_linker_symbol(uintptr_t library, const char* name);
int mt_linker_close(uintptr_t library, char** error);

static char* last_error;

static void set_last_error(char* text) {
  free(last_error);
  last_error = text;
}

void* dlopen(const char* path, int mode) {
  (void)mode; /* always RTLD_NOW | RTLD_LOCAL */
  char* error = NULL;
  const uintptr_t library = mt_linker_open(path, &error);
  if (library == 0) set_last_error(error);
  return (void*)library;
}

/* Unlike POSIX, the text is not cleared: it stays valid until the next failure. */
char* dlerror(void) { return last_error; }

void* dlsym(void* restrict library, const char* restrict name) { return mt_linker_symbol((uintptr_t)library, name); }

int dlclose(void* library) {
  char* error = NULL;
  if (mt_linker_close((uintptr_t)library, &error) == 0) return 0;
  set_last_error(error);
  return -1;
}
