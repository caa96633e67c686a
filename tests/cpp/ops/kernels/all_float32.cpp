// Compares float32 kernels with their references: all_float32 [step [name…]]. With step 1, the default, over all 2^32
// inputs, which takes minutes for each kernel. Ends with 1 if an error is larger than docs/numerics.md promises.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "ops/kernels/float32_ulps.h"

int main(int argc, char** argv) {
  using minitensor::test::Float32Kernel;
  using minitensor::test::WorstError;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto step = static_cast<std::uint32_t>(arguments.empty() ? 1 : std::stoul(arguments[0]));
  bool good = true;
  for (const Float32Kernel& kernel : minitensor::test::float32_kernels()) {
    bool wanted = arguments.size() < 2;
    for (std::size_t i = 1; i < arguments.size(); ++i) wanted |= arguments[i] == kernel.name;
    if (!wanted) continue;
    const WorstError worst = minitensor::test::worst_error(kernel, 0, std::numeric_limits<std::uint32_t>::max(), step);
    std::printf("%-8s %s\n", kernel.name, worst.text().c_str());
    std::fflush(stdout);
    good &= worst.ulps <= kernel.bound;
  }
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
