# Dear ImGui: the target imgui (with its GLFW and OpenGL3 backends), from source that is fetched once into the build folder.
#
# Where it comes from, in this order:
#   1. -DIMGUI_DIR=<folder with Dear ImGui 1.92>
#   2. the release archive, where the network allows
#   3. Debian's source package of forky or sid, through apt, from the mirrors that this machine already uses (no root needed)
# The source that is compiled is pinned by the SHA-256 of its text. Another 1.92.x is accepted from IMGUI_DIR or with apt's signature; this is said
# aloud and AUDITORIUM_IMGUI_EXACT is OFF, so that picture tests are skipped. A system-wide libimgui-dev is never picked up.

set(IMGUI_DIR "" CACHE PATH "Folder with the source of Dear ImGui 1.92; empty: fetch it")
set(imgui_version 1.92.2b)
set(imgui_pin d82234cd23de7f78e41a5956fd6e27e6b5e78bfa200d366a9616d1cc076cf196)
set(imgui_files imgui.cpp imgui_demo.cpp imgui_draw.cpp imgui_tables.cpp imgui_widgets.cpp
    imconfig.h imgui.h imgui_internal.h imstb_rectpack.h imstb_textedit.h imstb_truetype.h
    backends/imgui_impl_glfw.cpp backends/imgui_impl_opengl3.cpp backends/imgui_impl_glfw.h backends/imgui_impl_opengl3.h)

# The SHA-256 over the SHA-256 of every file that is compiled, so that the pin is the same wherever the source came from; "" if one is missing.
function(imgui_text_hash dir result)
  set(all "")
  foreach(file IN LISTS imgui_files)
    if(NOT EXISTS "${dir}/${file}")
      set(${result} "" PARENT_SCOPE)
      return()
    endif()
    file(SHA256 "${dir}/${file}" one)
    string(APPEND all "${one}\n")
  endforeach()
  string(SHA256 all "${all}")
  set(${result} ${all} PARENT_SCOPE)
endfunction()

function(imgui_from_release dest)
  set(w "${CMAKE_BINARY_DIR}/third_party/_imgui_release")
  file(REMOVE_RECURSE "${w}")
  file(DOWNLOAD "https://github.com/ocornut/imgui/archive/refs/tags/v${imgui_version}.tar.gz" "${w}/imgui.tar.gz"
       STATUS status TIMEOUT 60 INACTIVITY_TIMEOUT 5 TLS_VERIFY ON)
  list(GET status 0 status)
  if(status EQUAL 0)
    file(ARCHIVE_EXTRACT INPUT "${w}/imgui.tar.gz" DESTINATION "${w}/x")
    file(GLOB top "${w}/x/*")
    imgui_text_hash("${top}" hash)
    if(hash STREQUAL imgui_pin)
      file(RENAME "${top}" "${dest}")
      message(STATUS "Dear ImGui ${imgui_version} from its release archive")
    else()
      message(STATUS "Dear ImGui: the release archive is not the text that was pinned, so it is not used")
    endif()
  endif()
  file(REMOVE_RECURSE "${w}")
endfunction()

# Any of `versions` (exact one first) from Debian's source archive. Writes nothing outside the build tree; needs neither root nor dpkg-dev.
function(imgui_from_debian dest)
  find_program(APT_GET apt-get)
  set(keyring /usr/share/keyrings/debian-archive-keyring.gpg)
  if(NOT APT_GET OR NOT EXISTS ${keyring})
    return()
  endif()
  # The mirrors: from apt's lists, or where those are empty from its sources.
  execute_process(COMMAND ${APT_GET} indextargets --format "$(REPO_URI)" "Created-By: Packages" OUTPUT_VARIABLE repos ERROR_QUIET)
  string(REGEX MATCHALL "[^\n]+" repos "${repos}")
  file(GLOB sources /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources)
  foreach(file IN LISTS sources)
    file(STRINGS "${file}" lines REGEX "^[^#]*(https?|file|copy|mirror[a-z+]*)://")
    foreach(line IN LISTS lines)
      string(REGEX MATCHALL "[a-z+]+:/[^ \t]+" uris "${line}")
      list(APPEND repos ${uris})
    endforeach()
  endforeach()
  list(FILTER repos INCLUDE REGEX "/debian/?$")
  list(TRANSFORM repos REPLACE "/$" "")
  list(REMOVE_DUPLICATES repos)

  set(w "${CMAKE_BINARY_DIR}/third_party/_imgui_apt")
  foreach(wanted exact any)
    foreach(suite forky sid)
      foreach(uri IN LISTS repos)
        file(REMOVE_RECURSE "${w}")
        file(MAKE_DIRECTORY "${w}/lists/partial" "${w}/src")
        file(WRITE "${w}/sources.list" "deb-src [signed-by=${keyring}] ${uri} ${suite} main\n")
        # A Release file of forky or sid can be past its date on a machine that is set to a snapshot; its signature is checked all the same.
        set(options -qq -oDir::Etc::SourceList=${w}/sources.list -oDir::Etc::SourceParts=/dev/null
            -oDir::State::Lists=${w}/lists -oDir::Cache=${w} -oAPT::Sandbox::User= -oAcquire::Languages=none
            -oAcquire::Retries=3 -oAcquire::Check-Valid-Until=false -oAcquire::Check-Date=false)
        execute_process(COMMAND ${APT_GET} ${options} update RESULT_VARIABLE rc OUTPUT_QUIET ERROR_QUIET)
        if(NOT rc EQUAL 0)
          continue()
        endif()
        set(package imgui)
        if(wanted STREQUAL exact)
          set(package imgui=${imgui_version}+ds-1)
        endif()
        execute_process(COMMAND ${APT_GET} ${options} source --download-only ${package} WORKING_DIRECTORY "${w}/src"
                        RESULT_VARIABLE rc OUTPUT_QUIET ERROR_QUIET)
        file(GLOB tarball "${w}/src/imgui_1.92.*.orig.tar.*")
        list(FILTER tarball EXCLUDE REGEX "\\.asc$")
        if(rc EQUAL 0 AND tarball)
          file(ARCHIVE_EXTRACT INPUT "${tarball}" DESTINATION "${w}/x")
          file(GLOB top "${w}/x/*")
          file(RENAME "${top}" "${dest}")
          file(REMOVE_RECURSE "${w}")
          get_filename_component(name "${tarball}" NAME)
          message(STATUS "Dear ImGui from Debian ${suite} (${name})")
          return()
        endif()
      endforeach()
    endforeach()
  endforeach()
  file(REMOVE_RECURSE "${w}")
endfunction()

if(IMGUI_DIR)
  set(imgui_source "${IMGUI_DIR}")
else()
  # Fetched once for all the presets, whose build trees lie side by side.
  get_filename_component(imgui_source "${CMAKE_BINARY_DIR}" DIRECTORY)
  if(NOT imgui_source STREQUAL "${PROJECT_SOURCE_DIR}/build")
    set(imgui_source "${CMAKE_BINARY_DIR}")
  endif()
  string(APPEND imgui_source "/imgui-${imgui_version}")
  if(NOT EXISTS "${imgui_source}/imgui.h")
    imgui_from_release("${imgui_source}")
  endif()
  if(NOT EXISTS "${imgui_source}/imgui.h")
    imgui_from_debian("${imgui_source}")
  endif()
endif()
if(NOT EXISTS "${imgui_source}/imgui.h")
  message(FATAL_ERROR "Dear ImGui 1.92 could not be had: neither its release archive nor a Debian mirror of this machine could be reached. "
    "Run apt-get update and try again, or set -DIMGUI_DIR=<folder with Dear ImGui 1.92>, or -DAUDITORIUM_APP=OFF.")
endif()
imgui_text_hash("${imgui_source}" imgui_hash)
file(STRINGS "${imgui_source}/imgui.h" imgui_found REGEX "^#define IMGUI_VERSION +\"")
string(REGEX REPLACE ".*\"([^\"]+)\".*" "\\1" imgui_found "${imgui_found}")
set(AUDITORIUM_IMGUI_EXACT ON)
if(NOT imgui_hash STREQUAL imgui_pin)
  set(AUDITORIUM_IMGUI_EXACT OFF)
  if(NOT imgui_found MATCHES "^1\\.92\\.")
    message(FATAL_ERROR "Dear ImGui in ${imgui_source} is version ${imgui_found}; Auditorium needs 1.92.x")
  endif()
  message(WARNING "Dear ImGui ${imgui_found} is not the text that the pictures were made with (${imgui_version}): it is used, and picture tests are skipped")
endif()

# 32-bit indices in every build: one draw list holds a whole scene.
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/third_party/imgui-config/auditorium_imconfig.h" CONTENT
"#pragma once
#define ImDrawIdx unsigned int
#define IMGUI_DISABLE_OBSOLETE_FUNCTIONS
#define IMGUI_DISABLE_DEMO_WINDOWS
")
add_library(imgui STATIC ${imgui_source}/imgui.cpp ${imgui_source}/imgui_demo.cpp ${imgui_source}/imgui_draw.cpp ${imgui_source}/imgui_tables.cpp
  ${imgui_source}/imgui_widgets.cpp ${imgui_source}/backends/imgui_impl_glfw.cpp ${imgui_source}/backends/imgui_impl_opengl3.cpp)
target_include_directories(imgui SYSTEM PUBLIC "${CMAKE_BINARY_DIR}/third_party/imgui-config" "${imgui_source}" "${imgui_source}/backends")
target_compile_definitions(imgui PUBLIC IMGUI_USER_CONFIG="auditorium_imconfig.h")
target_compile_options(imgui PRIVATE -w $<$<NOT:$<CONFIG:Release>>:-O2>)
set_target_properties(imgui PROPERTIES UNITY_BUILD OFF)
# The OpenGL functions come from glad, so that no libGL (and no X) is needed where EGL gives the context.
target_compile_definitions(imgui PRIVATE GLFW_INCLUDE_NONE)
set_source_files_properties(${imgui_source}/backends/imgui_impl_opengl3.cpp PROPERTIES
  COMPILE_OPTIONS "-DIMGUI_IMPL_OPENGL_LOADER_CUSTOM;-include;glad/gl.h")
find_package(glfw3 3.3 QUIET)
if(NOT glfw3_FOUND)
  message(FATAL_ERROR "GLFW 3.3 is missing, so the window cannot be built: install libglfw3-dev, or configure with -DAUDITORIUM_APP=OFF")
endif()
target_link_libraries(imgui PUBLIC glfw glad)
