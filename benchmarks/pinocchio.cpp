// The chain in Pinocchio, in its own language: whole RK4 steps, no Python in between.
// Arguments: the numbers of links. Prints, for each, n, the time of a step [µs] and the angles
// after 500 steps of 1 ms.
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

using Vector = Eigen::VectorXd;
constexpr double h = 1e-3;

void step(const pinocchio::Model& model, pinocchio::Data& data, Vector& q, Vector& v) {
  static Vector none, a1, a2, a3, a4, v2, v3, v4, place;
  none = Vector::Zero(model.nv);
  a1 = pinocchio::aba(model, data, q, v, none);
  place = q + h / 2 * v;
  v2 = v + h / 2 * a1;
  a2 = pinocchio::aba(model, data, place, v2, none);
  place = q + h / 2 * v2;
  v3 = v + h / 2 * a2;
  a3 = pinocchio::aba(model, data, place, v3, none);
  place = q + h * v3;
  v4 = v + h * a3;
  a4 = pinocchio::aba(model, data, place, v4, none);
  q += h / 6 * (v + 2 * (v2 + v3) + v4);
  v += h / 6 * (a1 + 2 * (a2 + a3) + a4);
}

int main(int count, char** numbers) {
  for (int argument = 1; argument < count; argument++) {
    const int n = std::atoi(numbers[argument]);
    pinocchio::Model model;
    model.gravity.linear() = Eigen::Vector3d(0, -9.81, 0);
    const pinocchio::Inertia link(1.0, Eigen::Vector3d(0, -0.5, 0), 0.08 * Eigen::Matrix3d::Identity());
    pinocchio::JointIndex joint = 0;
    for (int i = 0; i < n; i++) {
      const pinocchio::SE3 place(Eigen::Matrix3d::Identity(), Eigen::Vector3d(0, -1.0 * (i > 0), 0));
      joint = model.addJoint(joint, pinocchio::JointModelRZ(), place, "j" + std::to_string(i));
      model.appendBodyToJoint(joint, link, pinocchio::SE3::Identity());
    }
    pinocchio::Data data(model);
    double best = 1e9;
    Vector end;
    for (int round = 0; round < 20; round++) {
      Vector q = Vector::Constant(n, 0.05), v = Vector::Zero(n);
      const auto start = std::chrono::steady_clock::now();
      for (int k = 0; k < 5000; k++) {
        if (k == 500) end = q;
        step(model, data, q, v);
      }
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
      best = std::min(best, took.count() / 5000 * 1e6);
    }
    std::printf("%d %.4f", n, best);
    for (int i = 0; i < n; i++) std::printf(" %.17g", end[i]);
    std::printf("\n");
  }
}
