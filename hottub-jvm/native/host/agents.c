// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "agents.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "home.h"

#define OPTION "-javaagent:"
#define MODULE "--add-modules=java.instrument"
#define IMPLEMENTATION "sun/instrument/InstrumentationImpl"
#define MANAGER "Lsun/instrument/TransformerManager;"

// ---- Natives of InstrumentationImpl. Each has as its first argument what libinstrument knows of
// the agent: 0, as long as it knows nothing.

// Lets libinstrument make an agent, and gives it to `instrumentation`. Its own instance, which the
// VM calls, shares the transformers. 0 with an exception pending.
static jlong make_agent(JNIEnv *env, jobject instrumentation) {
  char path[4096];
  if (home_path(path, sizeof path, "lib/hottub/runtime/agent.jar") != 0) return 0;
  jclass type = (*env)->GetObjectClass(env, instrumentation);
  jclass holder = (*env)->FindClass(env, "java/lang/HotTubAgent");
  jstring jar = holder ? (*env)->NewStringUTF(env, path) : NULL;
  if (!jar) return 0;
  jmethodID load = (*env)->GetStaticMethodID(env, type, "loadAgent", "(Ljava/lang/String;)V");
  jmethodID take = (*env)->GetStaticMethodID(env, holder, "take", "()Ljava/lang/Object;");
  jfieldID agent = (*env)->GetFieldID(env, type, "mNativeAgent", "J");
  jfieldID transformers = (*env)->GetFieldID(env, type, "mTransformerManager", MANAGER);
  if (!load || !take || !agent || !transformers) return 0;
  (*env)->CallStaticVoidMethod(env, type, load, jar);
  if ((*env)->ExceptionCheck(env)) return 0;
  jobject made = (*env)->CallStaticObjectMethod(env, holder, take);
  if (!made || (*env)->ExceptionCheck(env)) return 0;
  jlong pointer = (*env)->GetLongField(env, made, agent);
  (*env)->SetObjectField(env, made, transformers,
                         (*env)->GetObjectField(env, instrumentation, transformers));
  (*env)->SetLongField(env, instrumentation, agent, pointer);
  return pointer;
}

// The caller may have read the field before there was an agent.
static jlong agent_of(JNIEnv *env, jobject instrumentation, jlong agent) {
  if (agent) return agent;
  jclass type = (*env)->GetObjectClass(env, instrumentation);
  jfieldID field = (*env)->GetFieldID(env, type, "mNativeAgent", "J");
  if (!field) return 0;
  agent = (*env)->GetLongField(env, instrumentation, field);
  return agent ? agent : make_agent(env, instrumentation);
}

// The client knows that the manifest of no agent asks for it.
static jboolean isRetransformClassesSupported0(JNIEnv *env, jobject self, jlong agent) {
  (void)env, (void)self, (void)agent;
  return JNI_FALSE;
}

// Each other replacement asks the JDK's own function with an agent that there is.
#define NATIVE(give_back, type, name, parameters, arguments)          \
  static type(*jdk_##name) parameters;                                \
  static type name parameters {                                       \
    agent = agent_of(env, self, agent);                               \
    if (!agent) (*env)->FatalError(env, "no agent in libinstrument"); \
    give_back jdk_##name arguments;                                   \
  }

NATIVE(return, jboolean, isModifiableClass0,
             (JNIEnv * env, jobject self, jlong agent, jclass class), (env, self, agent, class))
NATIVE(, void, setHasTransformers, (JNIEnv * env, jobject self, jlong agent, jboolean has),
       (env, self, agent, has))
NATIVE(, void, setHasRetransformableTransformers,
       (JNIEnv * env, jobject self, jlong agent, jboolean has), (env, self, agent, has))
NATIVE(, void, retransformClasses0, (JNIEnv * env, jobject self, jlong agent, jobjectArray classes),
       (env, self, agent, classes))
NATIVE(, void, redefineClasses0,
       (JNIEnv * env, jobject self, jlong agent, jobjectArray definitions),
       (env, self, agent, definitions))
NATIVE(return, jobjectArray, getAllLoadedClasses0, (JNIEnv * env, jobject self, jlong agent),
             (env, self, agent))
NATIVE(return, jobjectArray, getInitiatedClasses0,
             (JNIEnv * env, jobject self, jlong agent, jobject loader), (env, self, agent, loader))
NATIVE(return, jlong, getObjectSize0, (JNIEnv * env, jobject self, jlong agent, jobject object),
             (env, self, agent, object))
NATIVE(, void, appendToClassLoaderSearch0,
       (JNIEnv * env, jobject self, jlong agent, jstring jar, jboolean boot),
       (env, self, agent, jar, boot))
NATIVE(, void, setNativeMethodPrefixes,
       (JNIEnv * env, jobject self, jlong agent, jobjectArray prefixes, jboolean retransform),
       (env, self, agent, prefixes, retransform))

#define ROW(name, signature) \
  { IMPLEMENTATION, #name, signature, (void *)name }

static const HotTubNative natives[] = {
    ROW(isModifiableClass0, "(JLjava/lang/Class;)Z"),
    ROW(setHasTransformers, "(JZ)V"),
    ROW(setHasRetransformableTransformers, "(JZ)V"),
    ROW(retransformClasses0, "(J[Ljava/lang/Class;)V"),
    ROW(redefineClasses0, "(J[Ljava/lang/instrument/ClassDefinition;)V"),
    ROW(getAllLoadedClasses0, "(J)[Ljava/lang/Class;"),
    ROW(getInitiatedClasses0, "(JLjava/lang/ClassLoader;)[Ljava/lang/Class;"),
    ROW(getObjectSize0, "(JLjava/lang/Object;)J"),
    ROW(appendToClassLoaderSearch0, "(JLjava/lang/String;Z)V"),
    ROW(setNativeMethodPrefixes, "(J[Ljava/lang/String;Z)V"),
    ROW(isRetransformClassesSupported0, "(J)Z"),  // the last: it has no original
};

// In the order of the table.
static void **const originals[] = {(void **)&jdk_isModifiableClass0,
                                   (void **)&jdk_setHasTransformers,
                                   (void **)&jdk_setHasRetransformableTransformers,
                                   (void **)&jdk_retransformClasses0,
                                   (void **)&jdk_redefineClasses0,
                                   (void **)&jdk_getAllLoadedClasses0,
                                   (void **)&jdk_getInitiatedClasses0,
                                   (void **)&jdk_getObjectSize0,
                                   (void **)&jdk_appendToClassLoaderSearch0,
                                   (void **)&jdk_setNativeMethodPrefixes};

enum { NATIVES = sizeof natives / sizeof *natives };
_Static_assert(NATIVES == sizeof originals / sizeof *originals + 1, "an original for each native");

bool agents_are_wanted(char *const *options, int count) {
  for (int i = 0; i < count; i++) {
    if (strcmp(options[i], MODULE) == 0) return true;
  }
  return false;
}

// The static initializer of the class loads libinstrument.
static bool initialize(JNIEnv *env) {
  jclass any = (*env)->FindClass(env, "java/lang/Class");
  jmethodID load =
      any ? (*env)->GetStaticMethodID(env, any, "forName", "(Ljava/lang/String;)Ljava/lang/Class;")
          : NULL;
  jstring name = load ? (*env)->NewStringUTF(env, "sun.instrument.InstrumentationImpl") : NULL;
  return name && (*env)->CallStaticObjectMethod(env, any, load, name);
}

int agents_natives(JNIEnv *env, const HotTubNative **all) {
  char path[4096];
  bool initialized = initialize(env);
  (*env)->ExceptionClear(env);
  if (!initialized || home_path(path, sizeof path, "lib/libinstrument.so") != 0) return -1;
  void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return -1;
  for (int i = 0; i < NATIVES - 1; i++) {
    char symbol[128];
    snprintf(symbol, sizeof symbol, "Java_sun_instrument_InstrumentationImpl_%s", natives[i].name);
    *originals[i] = dlsym(library, symbol);
    if (!*originals[i]) return -1;
  }
  *all = natives;
  return NATIVES;
}

// ---- The start

bool agents_is_option(const char *option) { return strncmp(option, OPTION, strlen(OPTION)) == 0; }

// As if the command line had named nothing but this one.
static bool start(JNIEnv *env, const char *option) {
  char name[1024];
  size_t length = strcspn(option, "=");
  snprintf(name, sizeof name, "%.*s", (int)length, option);
  jclass type = (*env)->FindClass(env, IMPLEMENTATION);
  jmethodID make = type ? (*env)->GetMethodID(env, type, "<init>", "(JZZ)V") : NULL;
  jmethodID call = make ? (*env)->GetMethodID(env, type, "loadClassAndCallPremain",
                                              "(Ljava/lang/String;Ljava/lang/String;)V")
                        : NULL;
  jstring class = call ? (*env)->NewStringUTF(env, name) : NULL;
  jstring arguments =
      class && option[length] ? (*env)->NewStringUTF(env, option + length + 1) : NULL;
  if (class && (arguments || !option[length])) {
    jobject agent = (*env)->NewObject(env, type, make, (jlong)0, JNI_FALSE, JNI_FALSE);
    if (agent) (*env)->CallVoidMethod(env, agent, call, class, arguments);
  }
  return !(*env)->ExceptionCheck(env);
}

// A thread that the end of its run has reached cannot call anything.
static bool is_dying(JNIEnv *env, jclass runtime, jmethodID harmless) {
  (*env)->CallStaticObjectMethod(env, runtime, harmless);
  return (*env)->ExceptionCheck(env);
}

bool agents_start(JNIEnv *env, const struct lease *lease) {
  for (size_t i = 0; i < lease->vm_late.count; i++) {
    const char *option = lease->vm_late.item[i];
    if (!agents_is_option(option) || start(env, option + strlen(OPTION))) continue;
    jthrowable thrown = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env);
    jclass runtime = (*env)->FindClass(env, "java/lang/Runtime");
    jmethodID harmless =
        runtime ? (*env)->GetStaticMethodID(env, runtime, "getRuntime", "()Ljava/lang/Runtime;")
                : NULL;
    if (!harmless || is_dying(env, runtime, harmless)) return false;
    (*env)->Throw(env, thrown);
    (*env)->ExceptionDescribe(env);
    (*env)->FatalError(env, "processing of -javaagent failed, processJavaStart failed");
  }
  return true;
}
