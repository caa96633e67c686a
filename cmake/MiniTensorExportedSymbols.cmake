# Readers of exported_symbols.txt, the one list of the core's symbols that others may use.

# Sets `result` to the names of `user` ("plugin", "linker" or "api").
function(minitensor_read_exported_symbols file user result)
  cmake_path(ABSOLUTE_PATH file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(STRINGS "${file}" lines REGEX "^[^#]")
  set(names "")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^([A-Za-z0-9_]+) (plugin|linker|api)$")
      message(FATAL_ERROR "${file}: not a name and its user: ${line}")
    endif()
    if(CMAKE_MATCH_2 STREQUAL user)
      list(APPEND names "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  set(${result} "${names}" PARENT_SCOPE)
endfunction()

# Writes the header that lists what plugins may import.
function(minitensor_generate_host_symbols file template output)
  minitensor_read_exported_symbols("${file}" plugin exported)
  minitensor_read_exported_symbols("${file}" linker made_by_linker)
  set(names ${exported} ${made_by_linker})
  list(LENGTH names host_symbol_count)
  list(TRANSFORM names REPLACE "(.+)" "\"\\1\"")
  list(JOIN names ", " host_symbol_list)
  configure_file("${template}" "${output}" @ONLY)
endfunction()

# Has `target`, a WebAssembly program that contains the core, export what plugins import, and `ARGN` besides.
function(minitensor_export_symbols target)
  set(exports ${ARGN})
  if(MINITENSOR_DYNAMIC_LOADING)
    minitensor_read_exported_symbols("${PROJECT_SOURCE_DIR}/src/minitensor/loader/exported_symbols.txt" plugin plugin_symbols)
    list(TRANSFORM plugin_symbols PREPEND "mt_plugin_")
    # The linker for plugins calls these itself.
    list(APPEND exports ${plugin_symbols} mt_linker_run mt_linker_host)
  endif()
  list(REMOVE_DUPLICATES exports)
  list(TRANSFORM exports PREPEND "_")
  list(JOIN exports "," exports)
  target_link_options(${target} PRIVATE "-sEXPORTED_FUNCTIONS=${exports}")
endfunction()
