// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "vm.h"

#include <alloca.h>
#include <dlfcn.h>
#include <pthread.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agents.h"
#include "class-path.h"
#include "descriptors.h"
#include "home.h"
#include "identity.h"
#include "output.h"
#include "threads.h"

// Classes of lib/hottub/runtime, in an order in which each needs only those before it.
static const char *const runtime_classes[] = {
    "jdk/internal/loader/HotTubFields",
    "jdk/internal/loader/HotTubModuleJars",
    "jdk/internal/loader/HotTubPlaces",
    "jdk/internal/loader/HotTubClassPath$OpenJar",
    "jdk/internal/loader/HotTubClassPath",
    "java/lang/ref/HotTubReferences",
    "java/lang/invoke/HotTubHandles",
    "jdk/internal/loader/HotTubLibraries",
    "jdk/internal/loader/HotTubLoaderValues",
    "java/lang/HotTubAgent",
    "java/lang/HotTubFileSystems",
    "java/lang/HotTubJvmThreads",
    "jdk/internal/module/HotTubModules",
    "java/util/HotTubSalts",
    "jdk/internal/jimage/HotTubImages",
    "java/lang/HotTub",
};

// Properties by which the command line asks for a management agent.
#define MANAGEMENT "com.sun.management"

#define RUNTIME_COUNT (sizeof runtime_classes / sizeof runtime_classes[0])

static int fail(char *err, size_t errlen, const char *what, const char *detail) {
  snprintf(err, errlen, "%s: %s", what, detail);
  return -1;
}

struct thrown {
  char text[1024];
};

// The name of the pending exception's class and what it says; clears it.
static struct thrown take_thrown(JNIEnv *env) {
  struct thrown result;
  jthrowable thrown = (*env)->ExceptionOccurred(env);
  (*env)->ExceptionClear(env);
  jclass object = (*env)->FindClass(env, "java/lang/Object");
  jmethodID to_string = (*env)->GetMethodID(env, object, "toString", "()Ljava/lang/String;");
  jstring text = thrown ? (*env)->CallObjectMethod(env, thrown, to_string) : NULL;
  const char *chars = text ? (*env)->GetStringUTFChars(env, text, NULL) : NULL;
  snprintf(result.text, sizeof result.text, "%s", chars ? chars : "failed");
  if (chars) (*env)->ReleaseStringUTFChars(env, text, chars);
  (*env)->ExceptionClear(env);
  return result;
}

static int fail_java(JNIEnv *env, char *err, size_t errlen, const char *what) {
  return fail(err, errlen, what, take_thrown(env).text);
}

// NULL with a pending exception.
static jobjectArray strings(JNIEnv *env, const char *const texts[], jsize count) {
  jclass string_class = (*env)->FindClass(env, "java/lang/String");
  jobjectArray array = string_class ? (*env)->NewObjectArray(env, count, string_class, NULL) : NULL;
  for (jsize i = 0; array && i < count; i++) {
    jstring text = (*env)->NewStringUTF(env, texts[i]);
    if (!text) return NULL;
    (*env)->SetObjectArrayElement(env, array, i, text);
  }
  return array;
}

static int load_runtime_class(JNIEnv *env, const char *name, jclass *out, char *err,
                              size_t errlen) {
  char relative[256], path[4096];
  snprintf(relative, sizeof relative, "lib/hottub/runtime/%s.class", name);
  if (home_path(path, sizeof path, relative) != 0)
    return fail(err, errlen, relative, "no such path");
  FILE *file = fopen(path, "re");
  struct stat info;
  if (!file || fstat(fileno(file), &info) != 0) {
    if (file) fclose(file);
    return fail(err, errlen, path, "cannot be read");
  }
  char *bytes = malloc((size_t)info.st_size);
  size_t length = bytes ? fread(bytes, 1, (size_t)info.st_size, file) : 0;
  fclose(file);
  *out = (*env)->DefineClass(env, name, NULL, (const jbyte *)bytes, (jsize)length);
  free(bytes);
  return *out ? 0 : fail_java(env, err, errlen, path);
}

static void *symbol(void *library, const char *name, bool *missing) {
  void *address = dlsym(library, name);
  if (!address) *missing = true;
  return address;
}

static int create_vm(void *library, char **options, int count, JNIEnv **env, char *err,
                     size_t errlen) {
  jint (*create)(JavaVM **, void **, void *);
  *(void **)&create = dlsym(library, "JNI_CreateJavaVM");
  if (!create) return fail(err, errlen, "libjvm.so", "has no JNI_CreateJavaVM");
  static char *own[] = {"-Dsun.java.launcher=SUN_STANDARD"};
  const int own_count = (int)(sizeof own / sizeof own[0]);
  JavaVMOption *all = calloc((size_t)(count + own_count), sizeof *all);
  if (!all) return fail(err, errlen, "options", "out of memory");
  for (int i = 0; i < own_count; i++) all[i].optionString = own[i];
  for (int i = 0; i < count; i++) all[own_count + i].optionString = options[i];
  JavaVMInitArgs arguments = {JNI_VERSION_1_8, count + own_count, all, JNI_FALSE};
  JavaVM *vm;
  jint result = create(&vm, (void **)env, &arguments);
  free(all);
  return result == JNI_OK ? 0 : fail(err, errlen, "JNI_CreateJavaVM", "the VM refused its options");
}

// The native methods of the JDK that are replaced; their number, or -1.
enum { NATIVES_MAX = 32 };

static int collect_natives(JNIEnv *env, bool with_agents, HotTubNative *out) {
  const HotTubNative *own, *more;
  int count = identity_natives(&own), more_count = with_agents ? agents_natives(env, &more) : 0;
  if (count < 0 || more_count < 0 || count + more_count > NATIVES_MAX) return -1;
  memcpy(out, own, (size_t)count * sizeof *out);
  if (more_count > 0) memcpy(out + count, more, (size_t)more_count * sizeof *out);
  return count + more_count;
}

int vm_create(struct vm *vm, char **options, int count, void (*on_ending)(int),
              void (*on_stuck)(const char *), void (*on_crash)(const char *), char *err,
              size_t errlen) {
  char path[4096];
  if (home_path(path, sizeof path, "lib/hottub/libjvm.so") != 0) {
    return fail(err, errlen, "lib/hottub/libjvm.so", "no such path");
  }
  void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (!library) return fail(err, errlen, path, dlerror());
  bool missing = false;
  void (*enable)(void);
  void (*created)(JNIEnv *);
  jint (*initialize)(JNIEnv *, void (*)(int), void (*)(const char *), void (*)(const char *),
                     const HotTubNative *, int);
  jint (*take_snapshot)(JNIEnv *);
  *(void **)&enable = symbol(library, "HotTub_Enable", &missing);
  *(void **)&created = symbol(library, "HotTub_Created", &missing);
  *(void **)&initialize = symbol(library, "HotTub_Initialize", &missing);
  *(void **)&take_snapshot = symbol(library, "HotTub_TakeSnapshot", &missing);
  *(void **)&vm->await_end = symbol(library, "HotTub_AwaitEnd", &missing);
  *(void **)&vm->begin_run = symbol(library, "HotTub_BeginRun", &missing);
  *(void **)&vm->enter_main = symbol(library, "HotTub_EnterMain", &missing);
  *(void **)&vm->revoke = symbol(library, "HotTub_Revoke", &missing);
  *(void **)&vm->forget_libraries = symbol(library, "HotTub_ForgetLibraries", &missing);
  *(void **)&vm->restore = symbol(library, "HotTub_Restore", &missing);
  *(void **)&vm->collect = symbol(library, "HotTub_Collect", &missing);
  *(void **)&vm->free_memory = symbol(library, "HotTub_FreeMemory", &missing);
  *(void **)&vm->visit_files = symbol(library, "HotTub_VisitFiles", &missing);
  *(void **)&vm->audit = symbol(library, "HotTub_Audit", &missing);
  *(void **)&vm->set_option = symbol(library, "HotTub_SetOption", &missing);
  *(void **)&vm->set_process = symbol(library, "HotTub_SetProcess", &missing);
  *(void **)&vm->set_arguments = symbol(library, "HotTub_SetArguments", &missing);
  *(void **)&vm->log_outcome = symbol(library, "HotTub_LogOutcome", &missing);
  *(void **)&vm->become_template = symbol(library, "HotTub_BecomeTemplate", &missing);
  *(void **)&vm->become_clone = symbol(library, "HotTub_BecomeClone", &missing);
  *(void **)&vm->compilations = symbol(library, "HotTub_Compilations", &missing);
  *(void **)&vm->conflict = symbol(library, "HotTub_Conflict", &missing);
  if (missing) return fail(err, errlen, path, "is not the patched libjvm.so of this home");
  enable();
  output_keep();
  int result = create_vm(library, options, count, &vm->env, err, errlen);
  output_release();
  if (result != 0) return -1;

  JNIEnv *env = vm->env;
  created(env);
  (*env)->PushLocalFrame(env, 64);
  for (size_t i = 0; i < RUNTIME_COUNT; i++) {
    jclass defined;
    if (load_runtime_class(env, runtime_classes[i], &defined, err, errlen) != 0) return -1;
    vm->runtime = defined;
  }
  vm->runtime = (*env)->NewGlobalRef(env, vm->runtime);
  jmethodID prepare = (*env)->GetStaticMethodID(env, vm->runtime, "prepare",
                                                "(Ljava/lang/String;[Ljava/lang/String;"
                                                "[Ljava/lang/String;)Ljava/lang/String;");
  vm->begin = (*env)->GetStaticMethodID(env, vm->runtime, "begin",
                                        "(Ljava/lang/String;[Ljava/lang/String;)V");
  vm->end_references = (*env)->GetStaticMethodID(env, vm->runtime, "endReferences", "()V");
  vm->release = (*env)->GetStaticMethodID(env, vm->runtime, "release", "()[I");
  vm->new_classes =
      (*env)->GetStaticMethodID(env, vm->runtime, "newClasses", "()[Ljava/lang/String;");
  vm->suspect = (*env)->GetStaticMethodID(env, vm->runtime, "suspect", "(Ljava/lang/String;)V");
  vm->renumber = (*env)->GetStaticMethodID(env, vm->runtime, "renumber", "([I)V");
  vm->settle = (*env)->GetStaticMethodID(env, vm->runtime, "settle", "()Ljava/lang/String;");
  vm->unload = (*env)->GetStaticMethodID(env, vm->runtime, "unload", "()Ljava/lang/String;");
  if ((*env)->ExceptionCheck(env)) return fail_java(env, err, errlen, "java.lang.HotTub");
  const char *libraries = getenv("LD_LIBRARY_PATH");
  jstring boot_libraries = (*env)->NewStringUTF(env, libraries ? libraries : "");
  static const char *const staying[] = {HOTTUB_STAYING_LIBRARIES};
  static const char *const loaded_anew[] = {HOTTUB_LIBRARIES_LOADED_ANEW};
  jobjectArray stay = strings(env, staying, sizeof staying / sizeof *staying);
  jobjectArray anew =
      stay ? strings(env, loaded_anew, sizeof loaded_anew / sizeof *loaded_anew) : NULL;
  if (!anew) return fail_java(env, err, errlen, "libraries of the JDK");
  jstring path_text =
      (*env)->CallStaticObjectMethod(env, vm->runtime, prepare, boot_libraries, stay, anew);
  if ((*env)->ExceptionCheck(env)) return fail_java(env, err, errlen, "java.lang.HotTub.prepare");
  // The VM looks its classes up at the first call, and for good: not in a run that may end in it.
  (*env)->GetDirectBufferAddress(env, path_text);
  const char *path_chars = (*env)->GetStringUTFChars(env, path_text, NULL);
  vm->library_path = path_chars ? strdup(path_chars) : NULL;
  if (!vm->library_path) return fail(err, errlen, "java.library.path", "out of memory");
  (*env)->ReleaseStringUTFChars(env, path_text, path_chars);
  (*env)->PopLocalFrame(env, NULL);
  HotTubNative natives[NATIVES_MAX];
  int native_count = collect_natives(env, agents_are_wanted(options, count), natives);
  if (native_count < 0 ||
      initialize(env, on_ending, on_stuck, on_crash, natives, native_count) != 0)
    return fail(err, errlen, "HotTub_Initialize", "unsupported JDK");
  if (take_snapshot(env) < 0) return fail_java(env, err, errlen, "HotTub_TakeSnapshot");
  return 0;
}

// As the launcher makes them: by sun.launcher.LauncherHelper in the platform's encoding.
static jstring new_platform_string(JNIEnv *env, jclass helper, const char *text) {
  jsize length = (jsize)strlen(text);
  jbyteArray bytes = (*env)->NewByteArray(env, length);
  if (!bytes) return NULL;
  (*env)->SetByteArrayRegion(env, bytes, 0, length, (const jbyte *)text);
  jmethodID make =
      (*env)->GetStaticMethodID(env, helper, "makePlatformString", "(Z[B)Ljava/lang/String;");
  jstring string = make ? (*env)->CallStaticObjectMethod(env, helper, make, JNI_TRUE, bytes) : NULL;
  (*env)->DeleteLocalRef(env, bytes);
  return string;
}

static jobjectArray new_strings(JNIEnv *env, jclass helper, const struct lease_list *list) {
  jclass string_class = (*env)->FindClass(env, "java/lang/String");
  jobjectArray array =
      string_class ? (*env)->NewObjectArray(env, (jsize)list->count, string_class, NULL) : NULL;
  for (size_t i = 0; array && i < list->count; i++) {
    jstring item = new_platform_string(env, helper, list->item[i]);
    if (!item) return NULL;
    (*env)->SetObjectArrayElement(env, array, (jsize)i, item);
    (*env)->DeleteLocalRef(env, item);
  }
  return array;
}

static bool set_option(struct vm *vm, const char *name, const char *separator, const char *value) {
  char *option;
  if (asprintf(&option, "-D%s%s%s", name, separator, value) < 0) return false;
  bool set = vm->set_option(vm->env, option) == 0;
  free(option);
  return set;
}

static bool set_property(struct vm *vm, const char *name, const char *value) {
  return set_option(vm, name, "=", value);
}

static bool set_unless_given(struct vm *vm, const struct lease *lease, const char *name,
                             const char *value) {
  size_t length = strlen(name);
  for (size_t i = 0; i < lease->props.count; i++) {
    const char *given = lease->props.item[i];
    if (strncmp(given, name, length) == 0 && (given[length] == '=' || !given[length])) return true;
  }
  return set_property(vm, name, value);
}

// As GetJavaProperties in java_props_md.c of the JDK, which looks once in a process.
struct user {
  const char *name, *home;
};

static struct user own_user(void) {
  const struct passwd *entry = getpwuid(getuid());
  return entry ? (struct user){entry->pw_name, entry->pw_dir} : (struct user){"?", "?"};
}

// The VM's copy of the properties, of which the class library makes its own.
static bool set_properties(struct vm *vm, const struct lease *lease, const char *directory,
                           const char *libraries, const struct user *user) {
  char *path;
  if (asprintf(&path, "%s%s%s", libraries ? libraries : "", libraries ? ":" : "",
               vm->library_path) < 0) {
    return false;
  }
  bool set = set_property(vm, "java.library.path", path);
  free(path);
  for (size_t i = 0; set && i < lease->props.count; i++) {
    set = set_option(vm, lease->props.item[i], "", "");
  }
  // The class library looks for these last, and in this order, which shows where all are listed.
  return set && set_unless_given(vm, lease, "user.home", user->home) &&
         set_unless_given(vm, lease, "user.dir", directory) &&
         set_unless_given(vm, lease, "user.name", user->name);
}

int vm_begin(struct vm *vm, const struct lease *lease, pid_t process, char *err, size_t errlen) {
  JNIEnv *env = vm->env;
  vm->set_process(process);
  for (size_t i = 0; i < lease->vm_late.count; i++) {
    if (agents_is_option(lease->vm_late.item[i])) continue;
    if (vm->set_option(env, lease->vm_late.item[i]) != 0) {
      return fail(err, errlen, "option", "cannot be set for one run");
    }
  }
  const char *const *arguments = (const char *const *)lease->arguments.item;
  if (vm->set_arguments(env, arguments, (int)lease->arguments.count) != 0) {
    return fail(err, errlen, "the JVM", "was changed between two runs");
  }
  char directory[4096];
  if (!getcwd(directory, sizeof directory)) return fail(err, errlen, "getcwd", "failed");
  const char *libraries = lease_list_value(&lease->env, "LD_LIBRARY_PATH");
  const struct user user = own_user();
  if (!set_properties(vm, lease, directory, libraries, &user)) {
    return fail(err, errlen, "properties", "out of memory");
  }
  if ((*env)->PushLocalFrame(env, 64) != 0) return fail_java(env, err, errlen, "PushLocalFrame");
  jclass helper = (*env)->FindClass(env, "sun/launcher/LauncherHelper");
  jstring dir = helper ? new_platform_string(env, helper, directory) : NULL;
  jobjectArray path = dir ? new_strings(env, helper, &lease->class_path) : NULL;
  if (path) (*env)->CallStaticVoidMethod(env, vm->runtime, vm->begin, dir, path);
  int result = 0;
  if (!path || (*env)->ExceptionCheck(env)) {
    result = fail_java(env, err, errlen, "java.lang.HotTub.begin");
  }
  (*env)->PopLocalFrame(env, NULL);
  return result;
}

// As Management::initialize, where the command line asks for it. False: the agent has said what is
// wrong, and the run ends without hooks, as a stock JVM that does not get as far as main.
static bool start_management(struct vm *vm, const struct lease *lease) {
  JNIEnv *env = vm->env;
  bool wanted = false;
  for (size_t i = 0; i < lease->props.count; i++) {
    if (strncmp(lease->props.item[i], MANAGEMENT, strlen(MANAGEMENT)) == 0) wanted = true;
  }
  if (!wanted) return true;
  jclass agent = (*env)->FindClass(env, "jdk/internal/agent/Agent");
  jmethodID start = agent ? (*env)->GetStaticMethodID(env, agent, "startAgent", "()V") : NULL;
  if (start) (*env)->CallStaticVoidMethod(env, agent, start);
  if (!(*env)->ExceptionCheck(env)) return true;
  (*env)->ExceptionClear(env);
  jclass system = (*env)->FindClass(env, "java/lang/Runtime");
  jmethodID get =
      system ? (*env)->GetStaticMethodID(env, system, "getRuntime", "()Ljava/lang/Runtime;") : NULL;
  jobject runtime = get ? (*env)->CallStaticObjectMethod(env, system, get) : NULL;
  jmethodID halt = runtime ? (*env)->GetMethodID(env, system, "halt", "(I)V") : NULL;
  if (halt) (*env)->CallVoidMethod(env, runtime, halt, 1);
  return false;
}

// What the thread that runs main has on its stack by now, from its beginning.
static size_t used_stack(void) {
  pthread_attr_t attributes;
  void *lowest = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return STACK_SPARE;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return (size_t)((char *)lowest + size - (char *)__builtin_frame_address(0));
}

// With as much stack as a stock JVM has left for main: what is spare stays above it.
static void enter_main(JNIEnv *env, jclass main_class, jmethodID method, jobjectArray args) {
  enum { OF_LAUNCHER = 4288 };
  size_t used = used_stack();
  size_t spare = used < STACK_SPARE + OF_LAUNCHER ? STACK_SPARE + OF_LAUNCHER - used : 0;
  char *unused = alloca(spare + 1);
  (*env)->CallStaticVoidMethod(env, main_class, method, args);
  explicit_bzero(unused, 1);  // else it would not be there
}

// As the launcher: what keeps it from main is described, and no handler of the run is asked.
static int no_main(JNIEnv *env) {
  if ((*env)->ExceptionCheck(env)) (*env)->ExceptionDescribe(env);
  return 1;
}

// Calls main; returns with its exception pending, if it throws one. The status of the process.
static int call_main(struct vm *vm, const struct lease *lease) {
  JNIEnv *env = vm->env;
  jclass helper = (*env)->FindClass(env, "sun/launcher/LauncherHelper");
  if (!helper) return no_main(env);
  jmethodID check = (*env)->GetStaticMethodID(env, helper, "checkAndLoadMain",
                                              "(ZILjava/lang/String;)Ljava/lang/Class;");
  jstring name = check ? new_platform_string(env, helper, lease->main) : NULL;
  if (!name) return no_main(env);
  jclass main_class =
      (*env)->CallStaticObjectMethod(env, helper, check, JNI_TRUE, (jint)lease->mode, name);
  if (!main_class || (*env)->ExceptionCheck(env)) return no_main(env);
  // Who loads a main class initialises it, and here that may be loaded. It copies properties, which
  // main would set too late.
  if (!(*env)->FindClass(env, "sun/security/util/Debug")) return no_main(env);
  vm->enter_main(env);
  jobjectArray args = new_strings(env, helper, &lease->args);
  if (!args) return no_main(env);
  jmethodID main_method =
      (*env)->GetStaticMethodID(env, main_class, "main", "([Ljava/lang/String;)V");
  if (!main_method) return no_main(env);
  enter_main(env, main_class, main_method, args);
  return (*env)->ExceptionCheck(env) ? 1 : 0;
}

static int run(struct vm *vm, const struct lease *lease) {
  bool is_to_start = agents_start(vm->env, lease) && start_management(vm, lease);
  return is_to_start ? call_main(vm, lease) : 1;
}

int vm_run(struct vm *vm, const struct lease *lease, const atomic_bool *is_revoked) {
  JNIEnv *env = vm->env;
  vm->begin_run(env);
  // The VM forgets what comes while there is no run.
  if (*is_revoked) vm->revoke(0);
  (*env)->PushLocalFrame(env, 64);
  int status = vm->await_end(env, run(vm, lease));
  (*env)->PopLocalFrame(env, NULL);
  return status;
}

bool vm_become_clone(struct vm *vm, bool ends_with_run) {
  enum { ROOM = 4096 };
  static HotTubThreadIds ids[ROOM];
  int count = 0;
  for (pid_t before, now; count < ROOM && threads_ids((size_t)count, &before, &now); count++) {
    ids[count] = (HotTubThreadIds){before, now};
  }
  return vm->become_clone(vm->env, ids, count, ends_with_run) == 0;
}

void vm_run_as_process(struct vm *vm, const struct lease *lease) {
  JNIEnv *env = vm->env;
  JavaVM *java;
  (*env)->GetJavaVM(env, &java);
  vm->begin_run(env);
  (*env)->PushLocalFrame(env, 64);
  int status = run(vm, lease);
  // As the launcher: an exception of main is reported when the thread leaves the VM.
  if ((*java)->DetachCurrentThread(java) != JNI_OK) status = 1;
  (*java)->DestroyJavaVM(java);
  exit(status);
}

// A later run may inherit the low numbers at which this run has opened jars.
static int lift(struct vm *vm, jintArray numbers, int *kept, int count, struct doubt *doubt) {
  JNIEnv *env = vm->env;
  int *old = malloc((size_t)(count + 1) * sizeof *old);
  if (!old) {
    doubt_because(doubt, DOUBT_JAVA_LANG_HOTTUB_RENUMBER, "out of memory");
    return -1;
  }
  int changed = 0;
  for (int i = 0; i < count; i++) {
    old[i] = kept[i];
    kept[i] = descriptors_lift(old[i]);
    changed += kept[i] != old[i];
  }
  if (changed > 0) {
    (*env)->SetIntArrayRegion(env, numbers, 0, count, kept);
    (*env)->CallStaticVoidMethod(env, vm->runtime, vm->renumber, numbers);
    if ((*env)->ExceptionCheck(env)) {
      doubt_because(doubt, DOUBT_JAVA_LANG_HOTTUB_RENUMBER, take_thrown(env).text);
      count = -1;
    }
  }
  for (int i = 0; i < count; i++) {
    if (kept[i] != old[i]) close(old[i]);
  }
  free(old);
  return count;
}

bool vm_end_references(struct vm *vm, struct doubt *doubt) {
  JNIEnv *env = vm->env;
  (*env)->CallStaticVoidMethod(env, vm->runtime, vm->end_references);
  if ((*env)->ExceptionCheck(env)) {
    doubt_because(doubt, DOUBT_JAVA_LANG_HOTTUB_RELEASE, take_thrown(env).text);
    return false;
  }
  vm->forget_libraries(env);
  return true;
}

// What Java code of the reset has returned: what it cannot take back, or NULL.
static bool is_nothing(JNIEnv *env, jstring sentence, struct doubt *doubt) {
  if ((*env)->ExceptionCheck(env)) {
    doubt_because(doubt, DOUBT_REFERENCE_PROCESSING_FAILED, take_thrown(env).text);
    return false;
  }
  if (!sentence) return true;
  const char *chars = (*env)->GetStringUTFChars(env, sentence, NULL);
  doubt_because(doubt, "%s", chars ? chars : DOUBT_OUT_OF_MEMORY);
  if (chars) (*env)->ReleaseStringUTFChars(env, sentence, chars);
  (*env)->ExceptionClear(env);
  (*env)->DeleteLocalRef(env, sentence);
  return false;
}

bool vm_unload(struct vm *vm, struct doubt *doubt) {
  JNIEnv *env = vm->env;
  return is_nothing(env, (*env)->CallStaticObjectMethod(env, vm->runtime, vm->unload), doubt);
}

int vm_release(struct vm *vm, int *kept, size_t room, struct doubt *doubt) {
  JNIEnv *env = vm->env;
  if ((*env)->PushLocalFrame(env, 64) != 0) {
    doubt_because(doubt, DOUBT_PUSHLOCALFRAME, take_thrown(env).text);
    return -1;
  }
  jintArray numbers = (*env)->CallStaticObjectMethod(env, vm->runtime, vm->release);
  int count = -1;
  if (!numbers || (*env)->ExceptionCheck(env)) {
    doubt_because(doubt, DOUBT_JAVA_LANG_HOTTUB_RELEASE, take_thrown(env).text);
  } else {
    count = (*env)->GetArrayLength(env, numbers);
    if ((size_t)count > room) {
      doubt_because(doubt, DOUBT_JAVA_LANG_HOTTUB_RELEASE, "too many open jars");
      count = -1;
    } else {
      (*env)->GetIntArrayRegion(env, numbers, 0, count, kept);
      count = lift(vm, numbers, kept, count, doubt);
    }
  }
  (*env)->PopLocalFrame(env, NULL);
  return count;
}

static bool is_of_class_path(JNIEnv *env, const struct lease *lease, jstring file) {
  const char *path = (*env)->GetStringUTFChars(env, file, NULL);
  bool found = path && path[0] && class_path_has(lease, path);
  if (path) (*env)->ReleaseStringUTFChars(env, file, path);
  return found;
}

bool vm_check_classes(struct vm *vm, const struct lease *lease, struct doubt *doubt) {
  JNIEnv *env = vm->env;
  if ((*env)->PushLocalFrame(env, 64) != 0) {
    doubt_because(doubt, DOUBT_PUSHLOCALFRAME, take_thrown(env).text);
    return true;
  }
  jobjectArray pairs = (*env)->CallStaticObjectMethod(env, vm->runtime, vm->new_classes);
  jsize count = pairs ? (*env)->GetArrayLength(env, pairs) : 0;
  for (jsize i = 0; i + 1 < count && !(*env)->ExceptionCheck(env); i += 2) {
    jstring name = (*env)->GetObjectArrayElement(env, pairs, i);
    jstring file = (*env)->GetObjectArrayElement(env, pairs, i + 1);
    if (!is_of_class_path(env, lease, file)) {
      (*env)->CallStaticVoidMethod(env, vm->runtime, vm->suspect, name);
    }
    (*env)->DeleteLocalRef(env, name);
    (*env)->DeleteLocalRef(env, file);
  }
  if ((*env)->ExceptionCheck(env)) {
    doubt_because(doubt, DOUBT_JAVA_LANG_HOTTUB_RELEASE, take_thrown(env).text);
  }
  (*env)->PopLocalFrame(env, NULL);
  return pairs != NULL;
}

bool vm_reset(struct vm *vm, HotTubReport *report) {
  JNIEnv *env = vm->env;
  struct doubt left = {""};
  (*env)->PushLocalFrame(env, 16);
  vm->restore(env, report);
  vm->collect(env, report);
  if (is_nothing(env, (*env)->CallStaticObjectMethod(env, vm->runtime, vm->settle), &left)) {
    vm->forget_libraries(env);
    vm_unload(vm, &left);
  }
  (*env)->PopLocalFrame(env, NULL);
  vm->free_memory(env);
  vm->restore(env, report);
  vm->audit(env, report, JNI_FALSE);
  size_t length = strlen(report->text);
  snprintf(report->text + length, sizeof report->text - length, "%s", left.text);
  return !left.text[0] && !report->doubt;
}
