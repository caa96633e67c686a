/*
 * Compiled into every WebAssembly plugin by minitensor_add_plugin, as C or as C++. Takes the place of the few functions
 * of the C and C++ libraries that would import something of the host.
 */
#include <stdint.h>
#include <stdlib.h>

#define HIDDEN __attribute__((visibility("hidden")))

#ifdef __cplusplus
extern "C" {
#endif

/* Emscripten's goes through JavaScript. The host turns a trap into an error. */
HIDDEN __attribute__((noreturn)) void abort(void) { __builtin_trap(); }

/* What a failed assert() calls. Its own prints, through JavaScript. */
HIDDEN __attribute__((noreturn)) void __assert_fail(const char* condition, const char* file, int line,
                                                    const char* function);
void __assert_fail(const char* condition, const char* file, int line, const char* function) {
  (void)condition;
  (void)file;
  (void)line;
  (void)function;
  __builtin_trap();
}

/* std::__libcpp_verbose_abort, where the C++ library ends without exceptions. Its own would link printf and files. */
#define VERBOSE_ABORT __asm__("_ZNSt3__222__libcpp_verbose_abortEPKcz")
HIDDEN __attribute__((noreturn)) void minitensor_verbose_abort(const char* format, ...) VERBOSE_ABORT;
void minitensor_verbose_abort(const char* format, ...) {
  (void)format;
  __builtin_trap();
}

/*
 * Emscripten's are weak and exported, so that a plugin would import them: anybody's may take their place. Compiled code
 * seldom calls these, but the C library does, as in snprintf.
 */
HIDDEN void* memcpy(void* to, const void* from, size_t size) {
  __asm__ volatile("local.get %0\nlocal.get %1\nlocal.get %2\nmemory.copy 0, 0"
                   :
                   : "r"(to), "r"(from), "r"(size)
                   : "memory");
  return to;
}

HIDDEN void* memset(void* to, int value, size_t size) {
  __asm__ volatile("local.get %0\nlocal.get %1\nlocal.get %2\nmemory.fill 0"
                   :
                   : "r"(to), "r"(value), "r"(size)
                   : "memory");
  return to;
}

/* The destructors of global objects, the newest first. */
struct destructor {
  struct destructor* next;
  void (*run)(struct destructor* self);
  void (*function)(void* object);
  void* object;
};
static struct destructor* destructors;

/* Called through `run` only, so that a plugin without such destructors does not import free. */
static void run_and_free(struct destructor* self) {
  self->function(self->object);
  free(self);
}

HIDDEN int __cxa_atexit(void (*function)(void*), void* object, void* dso) {
  struct destructor* self = (struct destructor*)malloc(sizeof(struct destructor));
  (void)dso;
  if (!self) return -1;
  self->next = destructors;
  self->run = run_and_free;
  self->function = function;
  self->object = object;
  destructors = self;
  return 0;
}

/* The C library's brings in what a plugin has no use for. */
static void call_exit_function(void* function) { ((void (*)(void))(uintptr_t)function)(); }

HIDDEN int atexit(void (*function)(void)) { return __cxa_atexit(call_exit_function, (void*)(uintptr_t)function, 0); }

/* The counterpart of __wasm_call_ctors. The host calls it after mt_plugin.destroy, if the plugin exports it. */
__attribute__((visibility("default"))) void __wasm_call_dtors(void);
void __wasm_call_dtors(void) {
  while (destructors) {
    struct destructor* self = destructors;
    destructors = self->next;
    self->run(self);
  }
}

#ifdef __cplusplus
}
#endif
