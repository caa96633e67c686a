// Writes the seeds to the folder that is named, for the fuzzer to begin with.
#include <cstdio>
#include <fstream>
#include <string>

#include "fuzz/seeds.h"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: minitensor_fuzz_seeds FOLDER\n", stderr);
    return 2;
  }
  for (const auto& [name, bytes] : minitensor::test::seeds()) {
    std::ofstream stream(std::string(arguments[1]) + '/' + name, std::ios::binary);
    stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!stream) {
      std::fprintf(stderr, "%s/%s cannot be written\n", arguments[1], name.c_str());
      return 1;
    }
  }
  return 0;
}
