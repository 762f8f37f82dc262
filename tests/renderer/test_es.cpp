// The one body of GLSL also compiles as GLSL ES 3.00.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glad/gl.h>
#include <gtest/gtest.h>

#include "app/renderer/renderer.h"

namespace auditorium {
namespace {

TEST(Shaders, CompileForEs) {
    const auto platform_display =
        PFNEGLGETPLATFORMDISPLAYEXTPROC(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    ASSERT_NE(platform_display, nullptr);
    EGLDisplay display = platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    EGLint major = 0, minor = 0;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, &major, &minor) ||
        !eglBindAPI(EGL_OPENGL_ES_API)) {
        GTEST_SKIP() << "no OpenGL ES on this machine";
    }
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE};
    EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
    ASSERT_NE(context, EGL_NO_CONTEXT);
    ASSERT_TRUE(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
    ASSERT_NE(gladLoadGLES2(GLADloadfunc(eglGetProcAddress)), 0);
    EXPECT_EQ(renderer::init_all(true), "");
    renderer::shutdown();
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, context);
    eglTerminate(display);
    eglBindAPI(EGL_OPENGL_API);
}

}  // namespace
}  // namespace auditorium
