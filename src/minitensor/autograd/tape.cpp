#include "minitensor/autograd/tape.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "minitensor/ops/elementwise.h"
#include "minitensor/tensor/message.h"

namespace minitensor {

namespace {

thread_local bool recording = true;

// Where gradients arrive: a leaf, or an op that was run.
class TapeNode : public GradientNode {
 public:
  explicit TapeNode(bool is_leaf) : is_leaf_(is_leaf) {}
  bool is_leaf() const noexcept { return is_leaf_; }

  // Only while backward runs: how many uses of the node have not given their gradient yet, and what has arrived, for
  // each output.
  std::size_t missing_uses = 0;
  const void* visitor = nullptr;  // the Graph that it is in
  std::vector<Tensor> arrived;

  void arrive(std::size_t output, Tensor gradient) {
    if (arrived.size() <= output) arrived.resize(output + 1);
    Tensor& sum = arrived[output];
    sum = sum.is_defined() ? add(sum, gradient) : std::move(gradient);
  }

 private:
  bool is_leaf_;
};

class LeafNode : public TapeNode {
 public:
  LeafNode() : TapeNode(true) {}
  Tensor gradient;
};

struct Edge {
  std::shared_ptr<GradientNode> node;  // null: no gradient is wanted
  std::uint32_t output = 0;
};

// A tensor that backward will look at, as it was.
struct SavedTensor {
  SavedTensor(const Tensor& given, bool keeps_elements) : tensor(given) {
    if (!given.is_defined()) return;
    tensor = keeps_elements ? given.detach() : given.shell();
    is_kept = keeps_elements;
    version = given.version();
  }
  bool has_changed() const { return is_kept && tensor.version() != version; }

  Tensor tensor;
  bool is_kept = false;
  std::uint32_t version = 0;
};

class OpNode : public TapeNode {
 public:
  OpNode(std::shared_ptr<const Op> run, std::span<const Tensor> given, Attributes resolved)
      : TapeNode(false), op(std::move(run)), attributes(std::move(resolved)), hold(hold_for_gradient(*op)) {
    for (const Tensor& input : given) {
      inputs.emplace_back(input, op->saves_inputs);
      edges.push_back(is_floating(input.dtype()) ? Edge{input.gradient_node(), input.output_index()} : Edge{});
    }
  }

  // A long chain of nodes would be destroyed by a recursion as deep as it is long. So a node takes what only it holds
  // out of its neighbours, one after the other.
  ~OpNode() override { release(); }
  OpNode(const OpNode&) = delete;
  OpNode& operator=(const OpNode&) = delete;

  void release() noexcept {
    is_released = true;
    hold.reset();
    inputs.clear();
    outputs.clear();
    std::vector<Edge> dying = std::move(edges);
    edges.clear();
    while (!dying.empty()) {
      const std::shared_ptr<GradientNode> node = std::move(dying.back().node);
      dying.pop_back();
      if (node == nullptr || node.use_count() > 1) continue;
      auto* tape_node = static_cast<TapeNode*>(node.get());
      if (tape_node->is_leaf()) continue;
      auto* op_node = static_cast<OpNode*>(tape_node);
      std::move(op_node->edges.begin(), op_node->edges.end(), std::back_inserter(dying));
      op_node->edges.clear();
    }
  }

  std::shared_ptr<const Op> op;
  Attributes attributes;
  CodeHold hold;  // after op, of which it is made
  std::vector<SavedTensor> inputs;
  std::vector<SavedTensor> outputs;
  std::vector<Edge> edges;
  bool is_released = false;
};

TapeNode* tape_node(const std::shared_ptr<GradientNode>& node) { return static_cast<TapeNode*>(node.get()); }

LeafNode* leaf_of(const Tensor& tensor) noexcept {
  TapeNode* node = tape_node(tensor.gradient_node());
  return node != nullptr && node->is_leaf() ? static_cast<LeafNode*>(node) : nullptr;
}

bool wants_recording(std::span<const Tensor> inputs) {
  return recording && std::any_of(inputs.begin(), inputs.end(), [](const Tensor& x) { return x.requires_grad(); });
}

// Without a node, a result may still be an input that has one.
void record(const std::shared_ptr<const Op>& op, std::span<const Tensor> inputs, const Attributes& attributes,
            bool is_wanted, std::span<Tensor> results) {
  if (!is_wanted) {
    for (Tensor& result : results) result.set_gradient_node(nullptr);
    return;
  }
  const auto node = std::make_shared<OpNode>(op, inputs, attributes);
  for (std::size_t i = 0; i < results.size(); ++i) {
    Tensor& result = results[i];
    node->outputs.emplace_back(result, op->saves_outputs);
    result.set_gradient_node(is_floating(result.dtype()) ? node : nullptr, static_cast<std::uint32_t>(i));
  }
}

// All nodes that `root` was computed by, each with the number of its uses among them.
class Graph {
 public:
  explicit Graph(const std::shared_ptr<GradientNode>& root) {
    try {
      find(root);
    } catch (...) {
      leave();  // since the destructor does not run
      throw;
    }
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() { leave(); }

  const std::vector<std::shared_ptr<GradientNode>>& nodes() const { return nodes_; }

 private:
  void find(const std::shared_ptr<GradientNode>& root) {
    visit(root);
    // There are more nodes after each step.
    std::size_t next = 0;
    while (next < nodes_.size()) {
      TapeNode* node = tape_node(nodes_[next++]);
      if (node->is_leaf()) continue;
      for (const Edge& edge : static_cast<OpNode*>(node)->edges) {
        if (edge.node == nullptr) continue;
        visit(edge.node);
        ++tape_node(edge.node)->missing_uses;
      }
    }
  }

  void visit(const std::shared_ptr<GradientNode>& node) {
    TapeNode* found = tape_node(node);
    if (found->visitor == this) return;
    if (found->visitor != nullptr) {
      throw_error(ErrorCode::kValue, {"backward: what it would work on is what a backward that is running works on"});
    }
    nodes_.push_back(node);
    found->visitor = this;
  }

  void leave() noexcept {
    for (const auto& node : nodes_) {
      tape_node(node)->missing_uses = 0;
      tape_node(node)->visitor = nullptr;
      tape_node(node)->arrived.clear();
    }
  }

  std::vector<std::shared_ptr<GradientNode>> nodes_;
};

void require_usable(const OpNode& node) {
  const auto refuse = [&](ErrorCode code, std::string_view rule) {
    throw_error(code, {"backward: op \"", node.op->name, "\"", rule});
  };
  if (node.is_released) {
    refuse(ErrorCode::kValue,
           " is on the way, and its graph was released by an earlier backward; retain the graph there");
  }
  if (!node.op->backward) refuse(ErrorCode::kNotImplemented, " has no gradient");
  const auto has_changed = [](const SavedTensor& saved) { return saved.has_changed(); };
  if (std::any_of(node.inputs.begin(), node.inputs.end(), has_changed)) {
    refuse(ErrorCode::kValue, ": an input was changed after it was used");
  }
  if (std::any_of(node.outputs.begin(), node.outputs.end(), has_changed)) {
    refuse(ErrorCode::kValue, ": its output was changed afterwards");
  }
}

std::vector<Tensor> tensors_of(const std::vector<SavedTensor>& saved) {
  std::vector<Tensor> tensors;
  tensors.reserve(saved.size());
  for (const SavedTensor& entry : saved) tensors.push_back(entry.tensor);
  return tensors;
}

// Passes what has arrived at a node on to what it was computed from.
void pass_on(OpNode& node, std::vector<std::shared_ptr<GradientNode>>& ready) {
  const std::vector<Tensor> inputs = tensors_of(node.inputs);
  const std::vector<Tensor> outputs = tensors_of(node.outputs);
  std::vector<Tensor> arrived = std::move(node.arrived);
  node.arrived.clear();
  arrived.resize(outputs.size());
  // Of an op with one output there always is one.
  if (outputs.size() == 1 && !arrived[0].is_defined())
    arrived[0] = Tensor::zeros(outputs[0].shape(), outputs[0].dtype());
  std::uint64_t wanted = 0;
  for (std::size_t i = 0; i < node.edges.size() && i < 64; ++i) {
    if (node.edges[i].node != nullptr) wanted |= std::uint64_t{1} << i;
  }
  std::vector<Tensor> gradients =
      run_backward(*node.op, {.inputs = inputs,
                              .attributes = node.attributes,
                              .output = outputs[0],
                              .grad_output = arrived[0],
                              .outputs = outputs,
                              .grad_outputs = arrived,
                              .wanted = node.edges.size() > 64 ? ~std::uint64_t{0} : wanted});
  for (std::size_t i = 0; i < node.edges.size(); ++i) {
    const Edge& edge = node.edges[i];
    if (edge.node == nullptr) continue;
    TapeNode* target = tape_node(edge.node);
    if (gradients[i].is_defined()) target->arrive(edge.output, std::move(gradients[i]).detach());
    if (--target->missing_uses == 0) ready.push_back(edge.node);
  }
}

Tensor first_gradient(const Tensor& root, const Tensor& given) {
  if (!given.is_defined()) {
    if (root.size() != 1) {
      throw_error(ErrorCode::kShape, {"backward: the tensor has shape ", root.shape(),
                                      " and not one element; give the gradient with respect to it"});
    }
    return Tensor::full(root.shape(), 1, root.dtype());
  }
  require_gradient_of(root, given, "backward", "the tensor");
  return given.detach();
}

}  // namespace

Tensor execute(const std::shared_ptr<const Op>& op, std::span<const Tensor> inputs, const NamedAttributes& attributes) {
  std::optional<Attributes> storage;
  const Attributes& resolved = resolve_attributes(*op, attributes, storage);
  const bool is_wanted = wants_recording(inputs);
  Tensor result;
  {
    const NoGradScope scope;
    result = run_resolved(*op, inputs, resolved);
  }
  record(op, inputs, resolved, is_wanted, {&result, 1});
  return result;
}

std::vector<Tensor> execute_many(const std::shared_ptr<const Op>& op, std::span<const Tensor> inputs,
                                 const NamedAttributes& attributes) {
  std::optional<Attributes> storage;
  const Attributes& resolved = resolve_attributes(*op, attributes, storage);
  const bool is_wanted = wants_recording(inputs);
  std::vector<Tensor> results;
  {
    const NoGradScope scope;
    results = run_resolved_many(*op, inputs, resolved);
  }
  record(op, inputs, resolved, is_wanted, results);
  return results;
}

Tensor execute(const OpRegistry& registry, std::string_view name, std::span<const Tensor> inputs,
               const NamedAttributes& attributes) {
  return execute(registry.get(name), inputs, attributes);
}

bool is_recording() noexcept { return recording; }

bool set_recording(bool on) noexcept { return std::exchange(recording, on); }

namespace {

void require_not_computed(const Tensor& tensor, const char* operation, const char* hint) {
  if (!tensor.requires_grad() || is_leaf(tensor)) return;
  throw_error(ErrorCode::kValue,
              {operation, ": the tensor was computed from others that require a gradient; ", hint, "detach it first"});
}

}  // namespace

void set_requires_grad(Tensor& tensor, bool required) {
  require_not_computed(tensor, "requires_grad", "");
  if (!required) {
    tensor.set_gradient_node(nullptr);
  } else if (!is_floating(tensor.dtype())) {
    throw_error(ErrorCode::kDType,
                {"requires_grad: only floating-point tensors have gradients, not ", dtype_name(tensor.dtype())});
  } else if (!tensor.requires_grad()) {
    tensor.set_gradient_node(std::make_shared<LeafNode>());
  }
}

void assign(Tensor& tensor, const Tensor& source) {
  require_not_computed(tensor, "assign", "assign to a leaf, or ");
  tensor.assign(source);
}

bool is_leaf(const Tensor& tensor) noexcept { return leaf_of(tensor) != nullptr; }

Tensor gradient_of(const Tensor& tensor) {
  const LeafNode* leaf = leaf_of(tensor);
  return leaf == nullptr ? Tensor() : leaf->gradient;
}

void set_gradient(const Tensor& tensor, Tensor gradient) {
  LeafNode* leaf = leaf_of(tensor);
  if (leaf == nullptr) {
    throw_error(ErrorCode::kValue, {"grad: only a tensor whose requires_grad was set has a gradient to replace"});
  }
  leaf->gradient = gradient.is_defined() ? first_gradient(tensor, gradient) : Tensor();
}

void backward(const Tensor& root, const Tensor& gradient, bool retain_graph) {
  if (!root.requires_grad()) {
    throw_error(ErrorCode::kValue,
                {"backward: the tensor requires no gradient: nothing that it was computed from does, or it was made "
                 "where none is recorded"});
  }
  const Tensor first = first_gradient(root, gradient);
  const Graph graph(root.gradient_node());
  for (const auto& node : graph.nodes()) {
    if (!tape_node(node)->is_leaf()) require_usable(*static_cast<OpNode*>(tape_node(node)));
  }
  const NoGradScope scope;
  tape_node(root.gradient_node())->arrive(root.output_index(), first);
  std::vector<std::shared_ptr<GradientNode>> ready{root.gradient_node()};
  while (!ready.empty()) {
    const std::shared_ptr<GradientNode> node = std::move(ready.back());
    ready.pop_back();
    if (!tape_node(node)->is_leaf()) pass_on(*static_cast<OpNode*>(tape_node(node)), ready);
  }
  // What follows these sums cannot fail, so that an error leaves the gradients and the graph as they were.
  for (const auto& node : graph.nodes()) {
    if (!tape_node(node)->is_leaf() || tape_node(node)->arrived.empty()) continue;
    Tensor& arrived = tape_node(node)->arrived[0];
    if (!arrived.is_defined()) continue;
    const Tensor& known = static_cast<LeafNode*>(tape_node(node))->gradient;
    // A gradient of its own: what arrived may be shared.
    arrived = known.is_defined() ? add(known, arrived) : arrived.clone();
  }
  for (const auto& node : graph.nodes()) {
    if (tape_node(node)->is_leaf()) {
      auto* leaf = static_cast<LeafNode*>(tape_node(node));
      if (!leaf->arrived.empty() && leaf->arrived[0].is_defined()) leaf->gradient = std::move(leaf->arrived[0]);
    } else if (!retain_graph) {
      static_cast<OpNode*>(tape_node(node))->release();
    }
  }
}

}  // namespace minitensor
