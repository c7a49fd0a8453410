// How the global step x := A_s^-1 x is made, and in which arithmetic. Part of the public API.
#pragma once

#include <string>

namespace sinew {

/// Where frames are computed. On a device stand all arrays of the bodies; what has no form there (detection
/// and Newton's method on contacts, among others) stays on the host: docs/devices.md.
enum class Backend {
  automatic,  ///< cpu, until the device code has been measured on GPUs
  cpu,
  cuda,     ///< the first CUDA device
  emulated  ///< the device code, run on the host: slow, to test it where there is no GPU
};

/// The way to apply A_s^-1; all but jacobi and chebyshev give the complete solution.
enum class GlobalSolver {
  automatic,       ///< staged
  staged,          ///< inverse of the factor in stages of the elimination tree: a few sparse products
  sparse_inverse,  ///< S = L^-1 as a whole in compressed rows, x = S^T S b: one stage, the published form
  triangular,      ///< forward and backward substitution by the library that made the factor
  pcg,             ///< conjugate gradients, preconditioned
  jacobi,          ///< one damped Jacobi sweep: an incomplete solution
  chebyshev        ///< the same with Chebyshev weights from iteration to iteration
};

/// Which library orders and factors.
enum class FactorLibrary {
  automatic,           ///< native; for the triangular solver CHOLMOD where built in, else Eigen
  cholmod,             ///< CHOLMOD, simplicial (LGPL module)
  cholmod_supernodal,  ///< CHOLMOD, supernodal (GPL module)
  eigen,               ///< Eigen's simplicial factor in METIS order (no GPL or LGPL code)
  native               ///< our own multifrontal factor, in parallel; order by CHOLMOD's or METIS's dissection
};

/// Arithmetic of the prepared inverse; positions, right-hand sides and forces are double always.
enum class SolverPrecision {
  full,  ///< values and sums in double
  mixed  ///< values and sums in float
};

enum class Preconditioner {
  block_jacobi,        ///< dense inverses of diagonal blocks
  incomplete_cholesky  ///< IC(0), with a shift of the diagonal where it would break down
};

/// How the forces of contacts and handles are found behind the Delassus operator; docs/contact.md compares
/// them.
enum class ContactSolver {
  automatic,      ///< newton
  gs,             ///< block Gauss-Seidel, exact law of one point at a time, mixed by Anderson's method
  nsn,            ///< non-smooth Newton with conjugate residual
  nsn_gs,         ///< the same, then Gauss-Seidel to finish the friction
  newton,         ///< Newton on the active set with a dense factor; where it stalls, the next
  interior_point  ///< in second-order cones: slow and sure, up to 600 points
};

/// The contact solver nsn solves for forces l in rows gap(l), with Omega and E the derivatives of its
/// functions.
enum class NewtonForm {
  exact,     ///< (Omega^1/2 h^2 W Omega^1/2 + E) y = -Omega^-1/2 phi, step of the forces Omega^1/2 y
  published  ///< (Omega h^2 W Omega + E) dl = -phi, forces Omega l
};

/// The length r that a force of 1 N stands for in nsn's functions of gap and force, of contact j; h: time
/// step. The law that a converged solve meets is the same.
enum class RowScaling {
  system,  ///< h^2 (B A_s^-1 B^T)_jj: what the contact itself gives way
  mass     ///< h^2 (B M^-1 B^T)_jj, of a body without stiffness (Macklin et al. 2019)
};

/// Of the contact solver nsn.
struct NonsmoothSettings {
  NewtonForm form = NewtonForm::exact;
  RowScaling scaling = RowScaling::system;
  int steps = 0;               ///< [0, 1e6] per contact solve, no more and no fewer; 0: to the tolerance
  int krylov_iterations = 24;  ///< [1, 1e6] of conjugate residual, per step
};

/// How the materials are solved for; both end in the same solution. docs/elasticity.md compares them.
enum class ElasticScheme {
  automatic,     ///< quasi_newton, for every material
  quasi_newton,  ///< L-BFGS on the constant system, with line search: the merit never rises
  admm           ///< alternating directions with a dual per element; quasi_newton where it stalls
};

/// How the compliance of the contact points, G = B A_s^-1 B^T, is made.
enum class DelassusWay {
  automatic,   ///< cache; gram where the table would not fit its memory
  cache,       ///< from a table of A_s^-1 over the nodes touched so far, kept from frame to frame
  gram,        ///< Y = L^-1 B^T, G = Y^T Y, anew whenever the rows change: the published way
  matrix_free  ///< products through global solves, G is never formed; newton and nsn take it
};

/// Where pairs of surfaces that may touch are looked for. Contacts are the same to the bit.
enum class BroadPhase {
  automatic,  ///< host
  host,
  device  ///< where frames have one (SimulationSettings::backend), else host, with a warning
};

struct SolverSettings {
  static constexpr int kMostStages = 6;

  ElasticScheme scheme = ElasticScheme::automatic;
  GlobalSolver global = GlobalSolver::automatic;
  int stages = 0;  ///< staged: [1, 6]; 0: the cheapest by nonzeros and number of products
  SolverPrecision precision = SolverPrecision::full;
  int refinement_steps = 0;  ///< [0, 5]: x += A^-1 (b - A x) in double after the solve
  FactorLibrary factor = FactorLibrary::automatic;
  Preconditioner preconditioner = Preconditioner::incomplete_cholesky;  ///< of pcg
  double pcg_tolerance = 1e-10;   ///< [1], > 0: residual relative to the right-hand side at which pcg stops
  int pcg_max_iterations = 5000;  ///< >= 1
  bool cache = true;              ///< keep what was prepared on disk
  std::string cache_folder;       ///< empty: the platform's folder for caches
};

}  // namespace sinew
