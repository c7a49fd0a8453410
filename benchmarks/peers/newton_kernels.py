"""Warp kernels that move pinned nodes and plates within a recorded frame."""

import warp as wp


@wp.kernel
def turn(
    nodes: wp.array(dtype=wp.int32),
    rest: wp.array(dtype=wp.vec3),
    rates: wp.array(dtype=float),
    clock: wp.array(dtype=float),
    dt: float,
    until: float,
    now: wp.array(dtype=wp.vec3),
    then: wp.array(dtype=wp.vec3),
):
    i = wp.tid()
    angle = rates[i] * wp.min(clock[0] + dt, until)
    c = wp.cos(angle)
    s = wp.sin(angle)
    r = rest[i]
    p = wp.vec3(r[0], c * r[1] - s * r[2], s * r[1] + c * r[2])
    now[nodes[i]] = p
    then[nodes[i]] = p


@wp.kernel
def shift(
    clock: wp.array(dtype=float),
    dt: float,
    body: int,
    center: wp.vec3,
    travel: wp.vec3,
    first: float,
    until: float,
    now: wp.array(dtype=wp.transform),
    speed: wp.array(dtype=wp.spatial_vector),
    then: wp.array(dtype=wp.transform),
):
    t = clock[0] + dt
    part = 0.5 * wp.min(t, first) / first
    rate = 0.5 / first
    if t > first:
        part = wp.min(0.5 + 0.5 * (t - first) / (until - first), 1.0)
        rate = 0.5 / (until - first)
    if t > until:
        rate = 0.0
    pose = wp.transform(center + part * travel, wp.quat_identity())
    now[body] = pose
    then[body] = pose
    speed[body] = wp.spatial_vector(rate * travel, wp.vec3(0.0, 0.0, 0.0))


@wp.kernel
def tick(clock: wp.array(dtype=float), dt: float):
    clock[0] = clock[0] + dt
