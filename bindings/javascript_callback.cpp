#include "bindings/javascript_callback.h"

#include "bindings/attribute_codec.h"

// In callbacks.js. `results` has room for `capacity` numbers; the number of results comes back, or minus the number of
// the exception that was thrown.
extern "C" {
int mt_callback_call(int id, int role, const std::uint32_t* tensors, std::size_t tensor_count,
                     const std::byte* attributes, std::size_t attributes_size, double* results, std::size_t capacity);
void mt_callback_release(int id);
}

namespace minitensor::bindings {

namespace {

// Gradients of 64 inputs, two numbers each.
constexpr std::size_t kMaxResults = 128;

class LentHandles {
 public:
  explicit LentHandles(std::span<const Tensor> tensors) {
    handles_.reserve(tensors.size());
    for (const Tensor& tensor : tensors) handles_.push_back(engine().tensors.add(tensor));
  }
  LentHandles(const LentHandles&) = delete;
  LentHandles& operator=(const LentHandles&) = delete;
  ~LentHandles() {
    for (const std::uint32_t handle : handles_) engine().tensors.release(handle);
  }
  const std::vector<std::uint32_t>& get() const { return handles_; }

 private:
  std::vector<std::uint32_t> handles_;
};

// Calls the callback of this number, and gives those of `results` that it has set. The handles must outlive what is
// made of them, which may be among them.
std::span<const double> call_with(int id, CallbackRole role, const std::vector<std::uint32_t>& handles,
                                  const Attributes* attributes, std::span<double, kMaxResults> results) {
  std::vector<std::byte> encoded;
  if (attributes != nullptr) encoded = encode_ordered(*attributes);
  const int count = mt_callback_call(id, static_cast<int>(role), handles.data(), handles.size(), encoded.data(),
                                     encoded.size(), results.data(), results.size());
  if (count < 0) {
    ErrorDetails details;
    details.callback_error = -count;
    throw Error(ErrorCode::kCallback, "a JavaScript callback threw", std::move(details));
  }
  return results.first(static_cast<std::size_t>(count));
}

}  // namespace

JavaScriptCallback::~JavaScriptCallback() { mt_callback_release(id_); }

std::vector<double> JavaScriptCallback::call(CallbackRole role, std::span<const Tensor> tensors,
                                             const Attributes* attributes) const {
  const LentHandles lent(tensors);
  double results[kMaxResults];
  const std::span<const double> values = call_with(id_, role, lent.get(), attributes, results);
  return {values.begin(), values.end()};
}

std::vector<Tensor> JavaScriptCallback::call_for_tensors(CallbackRole role, std::span<const Tensor> tensors,
                                                         const Attributes* attributes) const {
  // For each tensor its handle, and 1 when the callback made it: then it is ours to release.
  const LentHandles lent(tensors);
  double numbers[kMaxResults];
  const std::span<const double> pairs = call_with(id_, role, lent.get(), attributes, numbers);
  std::vector<Tensor> results;
  results.reserve(pairs.size() / 2);
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    results.push_back(tensor_at(static_cast<std::uint32_t>(pairs[i])));
  }
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    if (pairs[i + 1] != 0) engine().tensors.release(static_cast<std::uint32_t>(pairs[i]));
  }
  return results;
}

}  // namespace minitensor::bindings
