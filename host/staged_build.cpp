// Numbers of the staged inverse. Per component, panels from the root down: with the panel's diagonal block D
// and its rows B inside the component,
//
//   L_ss^-1 at the panel = [ D^-1 ; -(L_ss^-1 at the ancestors) B D^-1 ],
//
// and everything on the right is dense, because the ancestors of a column are all its rows there.
#include <Eigen/Dense>

#include "host/staged_inverse.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

using Matrix = Eigen::MatrixXd;

/// Rows of a panel of L as dense blocks.
struct FactorPanel {
  Matrix own, inside, outside;
};

class ComponentBuilder {
 public:
  ComponentBuilder(const CholeskyFactor& factor, const StagedStructure& structure, Index component)
      : factor_(factor), s_(structure), component_(s_.components[component]) {
    for (Index p = component_.piece_begin; p < component_.piece_end; ++p)
      for (Index k = s_.pieces[p].panel_begin; k < s_.pieces[p].panel_end; ++k) panels_.push_back(k);
    panel_of_.resize(component_.size);
    for (std::size_t k = 0; k < panels_.size(); ++k)
      for (Index c = 0; c < panel(k).width; ++c)
        panel_of_[panel(k).first - component_.first + c] = static_cast<Index>(k);
    inverse_.resize(panels_.size());
  }

  /// visit(panel, inverse: (own + inside) x width, outside rows of L: outside x width).
  template <class F>
  void run(F&& visit) {
    Index piece = component_.piece_end - 1;
    for (std::size_t k = panels_.size(); k-- > 0;) {
      while (s_.pieces[piece].panel_begin > panels_[k]) --piece;
      const FactorPanel l = extract(panel(k), s_.pieces[piece]);
      invert(k, l);
      visit(panel(k), inverse_[k], l.outside);
    }
  }

 private:
  const StagedPanel& panel(std::size_t k) const { return s_.panels[panels_[k]]; }

  /// Both row lists ascend like the rows of the factor's columns.
  FactorPanel extract(const StagedPanel& p, const StagedPiece& piece) const {
    FactorPanel l;
    l.own = Matrix::Zero(p.width, p.width);
    l.inside = Matrix::Zero(p.inside, p.width);
    l.outside = Matrix::Zero(p.outside, p.width);
    const Index* inside = s_.rows.data() + p.row;
    const Index* outside = inside + padded_rows(p.inside);
    const Index last = component_.first + component_.size;
    for (Index c = 0; c < p.width; ++c) {
      const Index column = s_.order[p.first + c];
      Index i = 0, o = 0;
      for (Index k = factor_.column_start[column]; k < factor_.column_start[column + 1]; ++k) {
        const Index row = s_.position[factor_.row[k]];
        if (row < p.first + p.width) {
          l.own(row - p.first, c) = factor_.value[k];
        } else if (row < last) {
          while (inside[i] < row - component_.first) ++i;
          l.inside(i, c) = factor_.value[k];
        } else {
          while (s_.outside_rows[piece.outside_begin + outside[o]] < row) ++o;
          l.outside(o, c) = factor_.value[k];
        }
      }
    }
    return l;
  }

  void invert(std::size_t k, const FactorPanel& l) {
    const StagedPanel& p = panel(k);
    Matrix& result = inverse_[k];
    result = Matrix::Zero(p.width + p.inside, p.width);
    result.topRows(p.width).setIdentity();
    l.own.triangularView<Eigen::Lower>().solveInPlace(result.topRows(p.width));
    if (p.inside == 0) return;
    const Matrix below = l.inside * result.topRows(p.width).triangularView<Eigen::Lower>();
    auto rest = result.bottomRows(p.inside);
    constexpr Index kRows = 96;
    const Index* rows = s_.rows.data() + p.row;
    for_each(static_cast<std::size_t>((p.inside + kRows - 1) / kRows), p.inside >= 4 * kRows ? 1 : 1 << 20,
             [&](std::size_t chunk) {
               const Index begin = static_cast<Index>(chunk) * kRows;
               multiply_ancestors(rows, below, begin, std::min(p.inside, begin + kRows), rest);
             });
  }

  /// rest[begin, end) -= (L_ss^-1 at the ancestors) below, ancestor panel after ancestor panel.
  template <class Rest>
  void multiply_ancestors(const Index* rows, const Matrix& below, Index begin, Index end, Rest& rest) const {
    for (Index at = 0; at < end;) {
      const std::size_t k = panel_of_[rows[at]];
      const StagedPanel& up = panel(k);
      const Index skipped = rows[at] - (up.first - component_.first);  // columns before the path joins
      const Index columns = up.width - skipped;
      const Index from = std::max(begin, at);
      const auto factor = below.middleRows(at, columns);
      if (!factor.isZero(0.0))
        rest.middleRows(from, end - from).noalias() -=
            inverse_[k].block(skipped + from - at, skipped, end - from, columns) * factor;
      at += columns;
    }
  }

  const CholeskyFactor& factor_;
  const StagedStructure& s_;
  const StagedComponent& component_;
  std::vector<Index> panels_;
  std::vector<Index> panel_of_;  // by column of the component
  std::vector<Matrix> inverse_;  // by panel: own and inside rows
};

/// Rows [0, rows) of a matrix in blocks of kPanelRows, column by column; returns the end.
template <class T, class M>
T* pack_rows(const M& matrix, Index rows, Index columns, T* out) {
  for (Index begin = 0; begin < rows; begin += kPanelRows)
    for (Index c = 0; c < columns; ++c)
      for (Index r = begin; r < begin + kPanelRows; ++r)
        *out++ = r < rows ? static_cast<T>(matrix(r, c)) : T(0);
  return out;
}

}  // namespace

template <class T>
void StagedInverse<T>::build_component(const CholeskyFactor& factor, Index component) {
  ComponentBuilder builder(factor, structure_, component);
  builder.run([&](const StagedPanel& p, const Matrix& inverse, const Matrix& outside) {
    T* out = values_.data() + p.value;
    for (Index begin = 0; begin < p.width; begin += kPanelRows) {
      const Index rows = std::min(kPanelRows, p.width - begin);
      out = pack_rows(inverse.middleRows(begin, rows), rows, begin + rows, out);
    }
    out = pack_rows(inverse.bottomRows(p.inside), p.inside, p.width, out);
    pack_rows(outside, p.outside, p.width, out);
  });
}

template <class T>
StagedInverse<T>::StagedInverse(const CholeskyFactor& factor, StagedStructure structure)
    : structure_(std::move(structure)), values_(static_cast<std::size_t>(structure_.value_count)) {
  // From the last component back: the largest come first, the small ones fill the gaps.
  const std::size_t count = structure_.components.size();
  for_each(count, 1, [&](std::size_t c) { build_component(factor, static_cast<Index>(count - 1 - c)); });
}

template <class T>
std::size_t StagedInverse<T>::bytes() const {
  const StagedStructure& s = structure_;
  return values_.size() * sizeof(T) + s.panels.size() * sizeof(StagedPanel) +
         (s.rows.size() + s.outside_rows.size()) * sizeof(Index) +
         (s.gather_start.size() + s.gather.size()) * sizeof(std::int64_t) +
         s.components.size() * sizeof(StagedComponent) + s.pieces.size() * sizeof(StagedPiece) +
         s.tasks.size() * sizeof(StagedTask) + s.chunks.size() * sizeof(StagedChunk) +
         (s.order.size() + s.divided_pieces.size()) * sizeof(Index) + s.stages.size() * sizeof(StagedStage);
}

template <class T>
void StagedInverse<T>::write(ByteWriter& out) const {
  const StagedStructure& s = structure_;
  out.add(s.order).add(s.position).add(s.stages).add(s.components).add(s.pieces).add(s.panels);
  out.add(s.tasks).add(s.divided_pieces).add(s.chunks).add(s.rows).add(s.outside_rows);
  out.add(s.gather_start).add(s.gather).add(s.value_count).add(s.partial_rows).add(values_);
}

template <class T>
StagedInverse<T> StagedInverse<T>::read(ByteReader& in, Index n) {
  StagedInverse result;
  StagedStructure& s = result.structure_;
  in.read(s.order).read(s.position).read(s.stages).read(s.components).read(s.pieces).read(s.panels);
  in.read(s.tasks).read(s.divided_pieces).read(s.chunks).read(s.rows).read(s.outside_rows);
  in.read(s.gather_start).read(s.gather).read(s.value_count).read(s.partial_rows).read(result.values_);
  if (s.value_count != static_cast<std::int64_t>(result.values_.size()) || !is_sound(s, n))
    in.damaged("its lists do not fit each other");
  return result;
}

template class StagedInverse<float>;
template class StagedInverse<double>;

}  // namespace sinew
