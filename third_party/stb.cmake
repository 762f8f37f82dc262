# stb: PNG reading and writing (header files; compiled once, in app/hosts/image.cpp).
find_path(STB_INCLUDE_DIR stb/stb_image_write.h)
if(NOT STB_INCLUDE_DIR)
  message(FATAL_ERROR "stb is missing, so pictures cannot be written: install libstb-dev, or configure with -DAUDITORIUM_APP=OFF")
endif()
add_library(stb INTERFACE)
target_include_directories(stb SYSTEM INTERFACE "${STB_INCLUDE_DIR}")
