#include "benchmarks/local_eigen.hpp"

#include <cmath>

#include <Eigen/LU>
#include <Eigen/SVD>

#include "kernels/runtime/executor.hpp"

namespace sinew::bench {

namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

struct Moduli {
  double mu, lambda, mooney_ratio;
};

/// psi [J/m^3] of the signed singular values and its derivatives [Pa].
double stretch_energy(MaterialKind kind, const Moduli& m, const Vector3d& s, Vector3d& p) {
  const double mu = m.mu, lambda = m.lambda, j = s.prod();
  const Vector3d dj(s[1] * s[2], s[2] * s[0], s[0] * s[1]), e = s - Vector3d::Ones();
  switch (kind) {
    case MaterialKind::arap:
      p = 2.0 * mu * e;
      return mu * e.squaredNorm();
    case MaterialKind::corotated: {
      p = 2.0 * mu * e + lambda * e.sum() * Vector3d::Ones();
      return mu * e.squaredNorm() + 0.5 * lambda * e.sum() * e.sum();
    }
    case MaterialKind::fixed_corotated:
      p = 2.0 * mu * e + lambda * (j - 1.0) * dj;
      return mu * e.squaredNorm() + 0.5 * lambda * (j - 1.0) * (j - 1.0);
    case MaterialKind::neo_hookean: {
      const double ln = std::log(j);
      p = mu * s + ((lambda * ln - mu) / j) * dj;
      return 0.5 * mu * (s.squaredNorm() - 3.0 - 2.0 * ln) + 0.5 * lambda * ln * ln;
    }
    case MaterialKind::st_venant_kirchhoff: {
      const Vector3d green = 0.5 * (s.cwiseAbs2() - Vector3d::Ones());
      p = s.cwiseProduct(2.0 * mu * green + lambda * green.sum() * Vector3d::Ones());
      return mu * green.squaredNorm() + 0.5 * lambda * green.sum() * green.sum();
    }
    case MaterialKind::mooney_rivlin: {
      const double m1 = 0.5 * mu * (1.0 - m.mooney_ratio), m2 = 0.5 * mu * m.mooney_ratio;
      const double bulk = 0.25 * (lambda + 2.0 / 3.0 * mu), i1 = s.squaredNorm(), i2 = dj.squaredNorm();
      const double a = std::pow(j, -2.0 / 3.0), b = a * a;
      const Vector3d di2 = 2.0 * s.cwiseProduct(i1 * Vector3d::Ones() - s.cwiseAbs2());
      p = 2.0 * m1 * a * s + m2 * b * di2 +
          ((-2.0 / 3.0 * m1 * a * i1 - 4.0 / 3.0 * m2 * b * i2) / j + bulk * (2.0 * j - 2.0 / j)) * dj;
      return m1 * (a * i1 - 3.0) + m2 * (b * i2 - 3.0) + bulk * (j * j - 1.0 - 2.0 * std::log(j));
    }
    case MaterialKind::stable_neo_hookean:
      break;
  }
  const double m4 = mu * 4.0 / 3.0, l4 = lambda + mu * 5.0 / 6.0, ratio = 0.75 * m4 / l4,
               i1 = s.squaredNorm();
  p = m4 * (1.0 - 1.0 / (i1 + 1.0)) * s + l4 * (j - 1.0 - ratio) * dj;
  return 0.5 * m4 * (i1 - 3.0) + 0.5 * l4 * (j - 1.0 - ratio) * (j - 1.0 - ratio) -
         0.5 * m4 * std::log((i1 + 1.0) / 4.0) - 0.5 * l4 * ratio * ratio;
}

Vector3d at(const Vec3d& a) {
  return {a.x, a.y, a.z};
}

/// The same of a membrane in plane stress, with its two singular values.
double membrane_energy(MaterialKind kind, const Moduli& m, const Vector2d& s, Vector2d& p) {
  const double mu = m.mu, lambda = 2.0 * m.lambda * mu / (m.lambda + 2.0 * mu), j = s.prod();
  const Vector2d e = s - Vector2d::Ones();
  switch (kind) {
    case MaterialKind::arap:
      p = 2.0 * mu * e;
      return mu * e.squaredNorm();
    case MaterialKind::corotated:
      p = 2.0 * mu * e + lambda * e.sum() * Vector2d::Ones();
      return mu * e.squaredNorm() + 0.5 * lambda * e.sum() * e.sum();
    case MaterialKind::neo_hookean: {
      const double ln = std::log(j);
      p = mu * s + ((lambda * ln - mu) / j) * Vector2d(s[1], s[0]);
      return 0.5 * mu * (s.squaredNorm() - 2.0 - 2.0 * ln) + 0.5 * lambda * ln * ln;
    }
    default: {
      const Vector2d green = 0.5 * (s.cwiseAbs2() - Vector2d::Ones());
      p = s.cwiseProduct(2.0 * mu * green + lambda * green.sum() * Vector2d::Ones());
      return mu * green.squaredNorm() + 0.5 * lambda * green.sum() * green.sum();
    }
  }
}

/// Inertia, and what the elements (kCorners each) leave their nodes; returns the inertia's energy.
template <int kCorners, class Gradients>
double gather(const BodyPrecomputed& body, const ElasticInput& input, const Vec3d* position,
              const std::vector<Index>& start, const std::vector<Index>& incidence,
              const Gradients& corner_gradient, std::vector<double>& sums, Vec3d* gradient) {
  const double h = input.time_step, h_alpha = h * body.alpha;
  return ordered_sum<double>(static_cast<std::size_t>(body.node_count), sums, [&](std::size_t i) {
    const Vec3d from_predicted = position[i] - input.predicted[i];
    const Vec3d from_start = position[i] - input.start[i];
    Vector3d force = Vector3d::Zero();
    for (Index k = start[i]; k < start[i + 1]; ++k) {
      const auto& g = corner_gradient[incidence[k] / kCorners];
      const Index corner = incidence[k] % kCorners;
      if (corner > 0)
        force += g.col(corner - 1);
      else
        force -= g.rowwise().sum();
    }
    gradient[i] =
        body.mass[i] * (from_predicted + h_alpha * from_start) + h * h * Vec3d{force[0], force[1], force[2]};
    return 0.5 * body.mass[i] * (squared_norm(from_predicted) + h_alpha * squared_norm(from_start));
  });
}

}  // namespace

EigenSheetWorkspace make_eigen_sheet_workspace(const BodyPrecomputed& body) {
  EigenSheetWorkspace w;
  for (const Mat2d& m : body.triangle_inverse) {
    Matrix2d r;
    r << m(0, 0), m(0, 1), m(1, 0), m(1, 1);
    w.rest_inverse.push_back(r);
  }
  w.corner_gradient.resize(body.triangles.size());
  return w;
}

EigenWorkspace make_eigen_workspace(const BodyPrecomputed& body) {
  EigenWorkspace w;
  for (const Mat3d& m : body.rest_inverse) {
    Matrix3d r;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) r(i, j) = m(i, j);
    w.rest_inverse.push_back(r);
  }
  w.corner_gradient.resize(body.tets.size());
  return w;
}

ElasticEnergy evaluate_eigen(const BodyPrecomputed& body, const ElasticInput& input, const Vec3d* position,
                             EigenWorkspace& workspace, Vec3d* gradient) {
  const Moduli moduli{body.shear_modulus, body.first_lame, body.mooney_ratio};
  const double h2 = input.time_step * input.time_step;
  const double elastic = ordered_sum<double>(body.tets.size(), workspace.element_sums, [&](std::size_t t) {
    const Tet& tet = body.tets[t];
    Matrix3d edges;
    for (int c = 0; c < 3; ++c) edges.col(c) = at(position[tet[c + 1]]) - at(position[tet[0]]);
    const Matrix3d f = edges * workspace.rest_inverse[t];
    const Eigen::JacobiSVD<Matrix3d> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Matrix3d u = svd.matrixU();
    const Matrix3d v = svd.matrixV();
    Vector3d s = svd.singularValues(), p;
    if (u.determinant() * v.determinant() < 0.0) {
      u.col(2) = -u.col(2);
      s[2] = -s[2];
    }
    const double energy = stretch_energy(body.kind, moduli, s, p);
    const Matrix3d stress = u * p.asDiagonal() * v.transpose();
    workspace.corner_gradient[t] = body.volume[t] * stress * workspace.rest_inverse[t].transpose();
    return body.volume[t] * energy;
  });
  const double inertia = gather<4>(body, input, position, body.incidence_start, body.incidence,
                                   workspace.corner_gradient, workspace.node_sums, gradient);
  return {inertia + h2 * elastic, elastic};
}

ElasticEnergy evaluate_eigen(const BodyPrecomputed& body, const ElasticInput& input, const Vec3d* position,
                             EigenSheetWorkspace& workspace, Vec3d* gradient) {
  using Matrix32d = Eigen::Matrix<double, 3, 2>;
  const Moduli moduli{body.shear_modulus, body.first_lame, 0.0};
  const double h2 = input.time_step * input.time_step;
  const double elastic =
      ordered_sum<double>(body.triangles.size(), workspace.element_sums, [&](std::size_t t) {
        const Triangle& v = body.triangles[t];
        Matrix32d edges;
        for (int c = 0; c < 2; ++c) edges.col(c) = at(position[v[c + 1]]) - at(position[v[0]]);
        const Matrix32d f = edges * workspace.rest_inverse[t];
        const Eigen::JacobiSVD<Matrix32d> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
        Vector2d p;
        const double energy = membrane_energy(body.kind, moduli, svd.singularValues(), p);
        const Matrix32d stress = svd.matrixU().leftCols<2>() * p.asDiagonal() * svd.matrixV().transpose();
        workspace.corner_gradient[t] =
            body.triangle_volume[t] * stress * workspace.rest_inverse[t].transpose();
        return body.triangle_volume[t] * energy;
      });
  const double inertia =
      gather<3>(body, input, position, body.triangle_incidence_start, body.triangle_incidence,
                workspace.corner_gradient, workspace.node_sums, gradient);
  return {inertia + h2 * elastic, elastic};
}

}  // namespace sinew::bench
