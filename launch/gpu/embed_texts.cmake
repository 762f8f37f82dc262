# cmake -DOUT=FILE -DROOT=FOLDER -DFILES=a.h;b.h -P embed_texts.cmake: files as string literals, by their paths from FOLDER.
set(text "// Made by launch/gpu/embed_texts.cmake.\n#include \"launch/gpu/runtime_timing.h\"\n\nnamespace auditorium::launch::gpu {\n\nstd::span<const DeviceText> device_texts() {\n    static constexpr DeviceText all[] = {\n")
foreach(file IN LISTS FILES)
  file(READ ${ROOT}/${file} body)
  string(APPEND text "{\"${file}\", R\"device(${body})device\"},\n")
endforeach()
string(APPEND text "    };\n    return all;\n}\n\n}  // namespace auditorium::launch::gpu\n")
file(WRITE ${OUT} "${text}")
