# minitensor_add_plugin(<name> [SOURCES] <source>... [EXCEPTIONS] [SIMD] [NO_CHECK])
#
# Adds the target <name>, a plugin of MiniTensor made of C or C++17 sources: <name>.wasm under Emscripten, otherwise
# <name>.so. A wasm plugin is always optimised, and has everything it needs inside. Options that the author adds to the
# target come after those given here.
#   EXCEPTIONS  C++ with exceptions and RTTI, which it is compiled without otherwise.
#   SIMD        128-bit vectors: SIMD128 in WebAssembly; natively x86-64-v2 (SSE4.2), and what the processor type has on
#               others. By vector types of the compiler, by intrinsics, or found by the compiler itself.
#   NO_CHECK    The file is kept even if MiniTensor would not load it. Otherwise the build fails then, and says why.
function(minitensor_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "EXCEPTIONS;SIMD;NO_CHECK" "" "SOURCES")
  set(sources ${arg_UNPARSED_ARGUMENTS} ${arg_SOURCES})
  if(NOT sources)
    message(FATAL_ERROR "minitensor_add_plugin(${name}): no sources are given")
  endif()
  _minitensor_check_options("minitensor_add_plugin(${name})")

  if(EMSCRIPTEN)
    # To CMake it is an executable: CMake 4.2.0 to 4.2.5 and 4.3.0 to 4.3.2 have no shared libraries for Emscripten.
    add_executable(${name} ${sources})
    _minitensor_wasm_plugin(${name})
  else()
    add_library(${name} MODULE ${sources})
    _minitensor_native_plugin(${name})
  endif()
  target_link_libraries(${name} PRIVATE minitensor::sdk)

  # The plugin is one closed unit: what it does not export on purpose is its own.
  set_target_properties(${name} PROPERTIES
    C_VISIBILITY_PRESET hidden
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
  )
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if("C" IN_LIST languages)
    target_compile_features(${name} PRIVATE c_std_11)
  endif()
  if("CXX" IN_LIST languages)
    target_compile_features(${name} PRIVATE cxx_std_17)
    if(NOT arg_EXCEPTIONS)
      target_compile_options(${name} PRIVATE
        "$<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>"
        "$<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>"
      )
    elseif(EMSCRIPTEN)
      # WebAssembly's own exceptions. Emscripten's older kind needs functions of the host.
      target_compile_options(${name} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-fwasm-exceptions>")
      target_link_options(${name} PRIVATE -fwasm-exceptions)
      target_link_libraries(${name} PRIVATE -lunwind)
    endif()
  endif()
  if(arg_SIMD)
    target_compile_options(${name} PRIVATE ${MiniTensorSDK_SIMD_OPTIONS})
  endif()
  if(NOT arg_NO_CHECK AND MiniTensorSDK_CHECK)
    add_custom_command(TARGET ${name} POST_BUILD
      COMMAND ${MiniTensorSDK_CHECK} "$<TARGET_FILE:${name}>"
      COMMENT "Checking that MiniTensor loads ${name}"
      VERBATIM)
  endif()
endfunction()

# A WebAssembly side module that imports nothing but memory, the base globals and the allocator.
function(_minitensor_wasm_plugin name)
  set_target_properties(${name} PROPERTIES SUFFIX .wasm)

  set(runtime "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/plugin_runtime.c")
  target_sources(${name} PRIVATE "${runtime}")
  # Link-time optimisation would take its memcpy for the C library's.
  set_source_files_properties("${runtime}" PROPERTIES COMPILE_OPTIONS -fno-lto)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "C" IN_LIST languages)
    set_source_files_properties("${runtime}" PROPERTIES LANGUAGE CXX)
  endif()

  target_compile_options(${name} PRIVATE
    # Side modules are placed anywhere in the memory of the host.
    -fPIC
    # In every configuration: only link-time optimisation makes the weak symbols of the C++ library the plugin's own.
    # Without it, some 70 of them are imported.
    -flto
    # With it, in every configuration too: Binaryen can fail on the debug information of optimised code. Native builds
    # are the ones to debug.
    -O3
    -g0
  )
  target_link_options(${name} PRIVATE
    # A side module that exports what is listed, and not everything it contains.
    -sSIDE_MODULE=2
    -sEXPORTED_FUNCTIONS=_create_plugin
    # What a host calls at unload: destructors of global objects, and what was given to atexit (plugin_runtime.c).
    -Wl,--export-if-defined=__wasm_call_dtors
    # The plugin's own symbols are not for others to replace. Without it, __wasm_lpad_context of libunwind is imported.
    -Wl,-Bsymbolic
    # Acknowledges wasm-ld's "creating shared libraries, with -shared, is not yet stable".
    -Wl,--experimental-pic
    # As for compiling: link-time optimisation takes place here.
    -fPIC
    -flto
    -O3
    -g0
    # The names of functions, for the stack traces of a debug build.
    "$<$<CONFIG:Debug>:--profiling-funcs>"
  )
  # Emscripten leaves the libraries of a side module to the host; a plugin brings its own. All are linked statically,
  # which costs only what is used.
  target_link_libraries(${name} PRIVATE
    "$<$<LINK_LANGUAGE:CXX>:-lc++>"
    "$<$<LINK_LANGUAGE:CXX>:-lc++abi>"
    -lc
    # Arithmetic that WebAssembly lacks, such as that of 128-bit integers.
    -lclang_rt.builtins
  )
endfunction()

# A shared library that exports nothing but create_plugin.
function(_minitensor_native_plugin name)
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX .so)
  # GCC would make static variables of templates and inline functions unique in the whole process: plugins would share
  # them, and dlclose would not unload the plugin.
  target_compile_options(${name} PRIVATE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>"
    # Who says nothing wants a plugin to use, not one to debug.
    "$<$<CONFIG:>:-O2>"
  )
  if(MiniTensorSDK_IPO)
    foreach(config IN ITEMS RELEASE RELWITHDEBINFO MINSIZEREL)
      set_property(TARGET ${name} PROPERTY INTERPROCEDURAL_OPTIMIZATION_${config} ON)
    endforeach()
  endif()
  set(exports "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/plugin_exports.map")
  # Hides what is linked in from static libraries, too.
  target_link_options(${name} PRIVATE "-Wl,--version-script=${exports}")
  set_target_properties(${name} PROPERTIES LINK_DEPENDS "${exports}")
  target_link_options(${name} PRIVATE -Wl,--require-defined=create_plugin)
  # A function that nobody defines is an error here and not when the plugin is loaded. The sanitizers' functions are
  # those of the program that loads it.
  if(NOT "${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize")
    target_link_options(${name} PRIVATE -Wl,-z,defs)
  endif()
endfunction()

# Ends with an error for options, given to all targets of this folder, with which no plugin can be loaded.
function(_minitensor_check_options caller)
  if(NOT EMSCRIPTEN)
    return()
  endif()
  string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
  get_property(compile_options DIRECTORY PROPERTY COMPILE_OPTIONS)
  get_property(link_options DIRECTORY PROPERTY LINK_OPTIONS)
  set(options " ${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS} ${CMAKE_C_FLAGS_${config}} ${CMAKE_CXX_FLAGS_${config}}")
  string(APPEND options " ${CMAKE_EXE_LINKER_FLAGS} ${CMAKE_EXE_LINKER_FLAGS_${config}}")
  string(APPEND options " ${compile_options} ${link_options} ")
  set(reasons
    "-pthread" "the host has no threads"
    "-sUSE_PTHREADS" "the host has no threads"
    "-sSHARED_MEMORY" "the host has no threads"
    "-matomics" "the host's memory is not shared"
    "-sMEMORY64" "the host has 32-bit addresses"
    "-m64" "the host has 32-bit addresses"
    "-fexceptions" "the host has no JavaScript exceptions: use EXCEPTIONS of minitensor_add_plugin"
    "-sASYNCIFY" "the host does not unwind a plugin's stack"
    "-sJSPI" "the host does not suspend a plugin"
    "-fsanitize" "the host has no sanitizer: use them in a native build"
  )
  while(reasons)
    list(POP_FRONT reasons option reason)
    if(options MATCHES "[ ;\"](${option}[^ ;]*)")
      set(found "${CMAKE_MATCH_1}")
      if(NOT found MATCHES "=0$")
        message(FATAL_ERROR "${caller}: the option ${found} makes plugins that MiniTensor cannot load: ${reason}.")
      endif()
    endif()
  endwhile()
endfunction()
