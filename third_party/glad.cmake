# glad: the target that loads OpenGL 3.3 core (and OpenGL ES 3.0) functions; generated at build time by glad 2.
find_program(GLAD_EXECUTABLE glad)
if(NOT GLAD_EXECUTABLE)
  message(FATAL_ERROR "glad 2 is missing, so the OpenGL loader cannot be made: install python3-glad, or configure with -DAUDITORIUM_APP=OFF")
endif()
set(dir "${CMAKE_BINARY_DIR}/third_party/glad")
# --reproducible: the specification that glad brings along, never one from the network.
add_custom_command(OUTPUT "${dir}/src/gl.c" "${dir}/include/glad/gl.h" "${dir}/include/KHR/khrplatform.h"
  COMMAND ${GLAD_EXECUTABLE} --reproducible --quiet --merge --api gl:core=3.3,gles2=3.0 --extensions GL_KHR_debug --out-path "${dir}" c
  COMMENT "Generating the OpenGL loader" VERBATIM)
enable_language(C)
add_library(glad STATIC "${dir}/src/gl.c" "${dir}/include/glad/gl.h")
target_include_directories(glad SYSTEM PUBLIC "${dir}/include")
target_link_libraries(glad PUBLIC ${CMAKE_DL_LIBS})
