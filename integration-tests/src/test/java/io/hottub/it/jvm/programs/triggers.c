// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// The library of Triggers.java: each function of JNI that initialises a class, and some that do
// not.

#include <jni.h>
#include <stdbool.h>
#include <string.h>

static bool is(const char *what, const char *name) { return strcmp(what, name) == 0; }

static jint use(JNIEnv *env, const char *what, jclass target, const char *name, jobject reflected) {
  if (is(what, "FindClass")) return (*env)->FindClass(env, name) != NULL;
  if (is(what, "GetMethodID")) return (*env)->GetMethodID(env, target, "own", "()I") != NULL;
  if (is(what, "GetSuperclass")) return (*env)->GetSuperclass(env, target) != NULL;
  if (is(what, "AllocObject")) return (*env)->AllocObject(env, target) != NULL;
  if (is(what, "NewObjectArray")) {
    return (*env)->GetArrayLength(env, (*env)->NewObjectArray(env, 2, target, NULL));
  }
  if (is(what, "NewObject")) {
    jmethodID constructor = (*env)->GetMethodID(env, target, "<init>", "()V");
    return (*env)->NewObject(env, target, constructor) != NULL;
  }
  if (is(what, "FromReflectedMethod")) {
    jmethodID method = (*env)->FromReflectedMethod(env, reflected);
    return (*env)->CallStaticIntMethod(env, target, method);
  }
  if (is(what, "GetStaticMethodID") || is(what, "CallStaticIntMethod")) {
    jmethodID method = (*env)->GetStaticMethodID(env, target, "get", "()I");
    return is(what, "GetStaticMethodID") || (*env)->CallStaticIntMethod(env, target, method);
  }
  jfieldID field = (*env)->GetStaticFieldID(env, target, "value", "I");
  return is(what, "GetStaticFieldID") || (*env)->GetStaticIntField(env, target, field);
}

JNIEXPORT jint JNICALL Java_Triggers_inNativeCode(JNIEnv *env, jclass class, jstring what,
                                                  jclass target, jstring name, jobject reflected) {
  const char *what_text = (*env)->GetStringUTFChars(env, what, NULL);
  const char *name_text = (*env)->GetStringUTFChars(env, name, NULL);
  jint result = use(env, what_text, target, name_text, reflected);
  (*env)->ReleaseStringUTFChars(env, what, what_text);
  (*env)->ReleaseStringUTFChars(env, name, name_text);
  return result;
}
