# Finds Emscripten's own toolchain file beside the emcc on PATH, so that presets work wherever it is installed.
find_program(MINITENSOR_EMCC emcc NO_CACHE)
if(NOT MINITENSOR_EMCC)
  message(FATAL_ERROR "emcc is not on PATH. `npm start` and `npm test` set it up; or activate an emsdk of version 6 or newer.")
endif()
file(REAL_PATH "${MINITENSOR_EMCC}" MINITENSOR_EMCC)
cmake_path(GET MINITENSOR_EMCC PARENT_PATH minitensor_emscripten_root)
include("${minitensor_emscripten_root}/cmake/Modules/Platform/Emscripten.cmake")
