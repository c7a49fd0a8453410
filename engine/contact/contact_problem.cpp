#include "engine/contact/contact_problem.hpp"

namespace sinew {

void ContactProblem::resize(std::size_t count) {
  frame.resize(count);
  friction.resize(count);
  if (matrix_free || device_gram.data)
    gram = {};
  else
    gram.resize(count * count);
  displacement.resize(count);
  force.resize(count);
  memory.clear();
}

}  // namespace sinew
