"use strict";
// A robot that moves, drawn with WebGL, and plots beside it. All data is in the page itself.
const data = JSON.parse(document.getElementById("data").textContent);

function bytes(text) {
  const raw = atob(text), out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out.buffer;
}
const floats = (text) => new Float32Array(bytes(text));
const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);
const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const mul = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0]];
const size = (a) => Math.hypot(a[0], a[1], a[2]);
const unit = (a) => { const n = size(a); return n > 1e-30 ? mul(a, 1 / n) : [0, 0, 0]; };
const element = (tag, text, into, name) => {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  if (into) into.append(made);
  return made;
};
const byId = (id) => document.getElementById(id);

// Configurations ------------------------------------------------------------------------------
const steps = new Uint16Array(bytes(data.anchors)), M = data.count, N = data.frames;
const times = floats(data.times), tensions = data.tension ? floats(data.tension.values) : null;
const stored = new Float32Array(3 * M);
function anchorsAt(frame) { // positions between two frames, by their distance
  const a = Math.min(Math.floor(frame), N - 1), b = Math.min(a + 1, N - 1), s = frame - a;
  for (let i = 0; i < 3 * M; i++) {
    const x = steps[3 * M * a + i], y = steps[3 * M * b + i], k = i % 3;
    stored[i] = data.low[k] + data.scale[k] * (x + s * (y - x));
  }
  return stored;
}
const at = (P, i) => [P[3 * i], P[3 * i + 1], P[3 * i + 2]];

// Meshes: position, normal, colour -----------------------------------------------------------
class Mesh {
  constructor(room) { this.v = new Float32Array(9 * room); this.i = new Uint32Array(6 * room);
    this.clear(); }
  clear() { this.n = 0; this.m = 0; }
  grow(corners, indices) {
    if (9 * (this.n + corners) > this.v.length) {
      const v = new Float32Array(2 * this.v.length + 9 * corners); v.set(this.v); this.v = v; }
    if (this.m + indices > this.i.length) {
      const i = new Uint32Array(2 * this.i.length + indices); i.set(this.i); this.i = i; }
  }
  corner(p, n, c) {
    const k = 9 * this.n++, v = this.v;
    v[k] = p[0]; v[k + 1] = p[1]; v[k + 2] = p[2];
    v[k + 3] = n[0]; v[k + 4] = n[1]; v[k + 5] = n[2];
    v[k + 6] = c[0]; v[k + 7] = c[1]; v[k + 8] = c[2];
  }
  triangle(a, b, c) { this.i[this.m++] = a; this.i[this.m++] = b; this.i[this.m++] = c; }
}

const SIDES = 10, circle = [];
for (let k = 0; k < SIDES; k++) {
  circle.push([Math.cos(2 * Math.PI * k / SIDES), Math.sin(2 * Math.PI * k / SIDES)]);
}
const ROUND = [[0.92, 0.38], [0.71, 0.71], [0.38, 0.92]]; // radius and height of a rounded end

function rings(mesh, list, colour) { // each: centre, two directions across, radius, lean
  const first = mesh.n, r = list.length;
  mesh.grow(r * SIDES, 6 * r * SIDES);
  for (const ring of list) {
    for (const [c, s] of circle) {
      const out = add(mul(ring.a, c), mul(ring.b, s));
      const n = ring.lean ? unit(add(mul(out, ring.flat), mul(ring.lean, ring.rise))) : out;
      mesh.corner(add(ring.p, mul(out, ring.r)), n, colour);
    }
  }
  for (let k = 0; k + 1 < r; k++) for (let j = 0; j < SIDES; j++) {
    const a = first + k * SIDES + j, b = first + k * SIDES + (j + 1) % SIDES;
    mesh.triangle(a, b, b + SIDES); mesh.triangle(a, b + SIDES, a + SIDES);
  }
}

function tube(mesh, points, radii, colour, rounded) {
  const n = points.length, list = [];
  let a = null;
  for (let k = 0; k < n; k++) {
    const t = unit(sub(points[Math.min(k + 1, n - 1)], points[Math.max(k - 1, 0)]));
    if (!size(t)) continue;
    if (!a) {
      const away = [0, 0, 0];
      away[t.map(Math.abs).indexOf(Math.min(...t.map(Math.abs)))] = 1;
      a = unit(cross(t, away));
    }
    a = unit(sub(a, mul(t, dot(a, t))));
    list.push({ p: points[k], a, b: cross(t, a), t, r: radii[k] });
  }
  if (list.length < 2) return;
  for (const [end, sign] of [[list[0], -1], [list[list.length - 1], 1]]) {
    const away = mul(end.t, sign), caps = [];
    if (rounded) {
      for (const [flat, rise] of ROUND) {
        caps.push({ ...end, p: add(end.p, mul(away, rise * end.r)), r: flat * end.r, flat, rise,
          lean: away });
      }
    } else caps.push({ ...end, flat: 0, rise: 1, lean: away });
    const tip = add(end.p, mul(away, rounded ? end.r : 0));
    caps.push({ ...end, p: tip, r: 0, flat: 0, rise: 1, lean: away });
    if (sign > 0) list.push(...caps); else list.unshift(...caps.reverse());
  }
  rings(mesh, list, colour);
}

function ribbon(mesh, points, sides, halves, colour) { // a rod with a rectangular section
  const n = points.length, first = mesh.n;
  mesh.grow(8 * n + 8, 24 * n + 12);
  const corner = [[1, 1], [-1, 1], [-1, -1], [1, -1]];
  for (let k = 0; k < n; k++) {
    const t = unit(sub(points[Math.min(k + 1, n - 1)], points[Math.max(k - 1, 0)]));
    const y = sub(sides[k], points[k]), z = mul(unit(cross(t, y)), halves[k]);
    const u = unit(y), w = unit(z);
    corner.forEach(([i, j], c) => { // each edge twice: with the normals of both faces
      const p = add(points[k], add(mul(y, i), mul(z, j)));
      const before = c % 2 ? mul(w, j) : mul(u, i), after = c % 2 ? mul(u, i) : mul(w, j);
      mesh.corner(p, before, colour); mesh.corner(p, after, colour);
    });
  }
  for (let k = 0; k + 1 < n; k++) for (let c = 0; c < 4; c++) {
    const a = first + 8 * k + 2 * c + 1, b = first + 8 * k + 2 * ((c + 1) % 4);
    mesh.triangle(a, b, b + 8); mesh.triangle(a, b + 8, a + 8);
  }
  for (const k of [0, n - 1]) {
    const t = unit(sub(points[Math.min(k + 1, n - 1)], points[Math.max(k - 1, 0)]));
    const f = mesh.n, out = mul(t, k ? 1 : -1);
    for (let c = 0; c < 4; c++) mesh.corner([0, 1, 2].map((i) =>
      mesh.v[9 * (first + 8 * k + 2 * c) + i]), out, colour);
    mesh.triangle(f, f + 1, f + 2); mesh.triangle(f, f + 2, f + 3);
  }
}

function dashed(points, length) { // pieces of a line
  const pieces = [];
  let piece = [points[0]], left = length, drawn = true;
  for (let k = 1; k < points.length; k++) {
    let p = points[k - 1], rest = size(sub(points[k], p));
    while (rest > left) {
      p = add(p, mul(unit(sub(points[k], p)), left)); rest -= left;
      if (drawn) { piece.push(p); pieces.push(piece); }
      drawn = !drawn; piece = [p]; left = drawn ? length : 0.8 * length;
    }
    left -= rest; piece.push(points[k]);
  }
  if (drawn) pieces.push(piece);
  return pieces;
}

const shapes = data.bodies.map((body) => ({ ...body, rgb: rgb(body.color),
  corners: floats(body.corners), normals: floats(body.normals),
  triangles: new Uint32Array(bytes(body.triangles)) }));
const palette = data.palette.map(rgb), slack = rgb(data.colors.slack), push = rgb(data.colors.push);
const shown = { trail: true, frames: false, shadow: !data.planar, forces: true };

function tensionColour(value) {
  const k = Math.round(value / data.tension.max * (palette.length - 1));
  return palette[Math.max(0, Math.min(palette.length - 1, k))];
}

function bodyMesh(mesh, body, P) {
  const o = at(P, body.first), axes = [1, 2, 3].map((k) => sub(at(P, body.first + k), o));
  const units = axes.map(unit), n = body.corners.length / 3, first = mesh.n, c = body.corners;
  mesh.grow(n, body.triangles.length);
  for (let k = 0; k < n; k++) {
    let p = o, m = [0, 0, 0];
    for (let i = 0; i < 3; i++) {
      p = add(p, mul(axes[i], c[3 * k + i])); m = add(m, mul(units[i], body.normals[3 * k + i]));
    }
    mesh.corner(p, m, body.rgb);
  }
  for (const i of body.triangles) mesh.i[mesh.m++] = first + i;
}

const opacities = [...new Set(shapes.map((x) => x.opacity).filter((x) => x < 1))];
function build(frame, solid, clear) { // clear: a mesh for each opacity
  const P = anchorsAt(frame), near = Math.round(frame), count = data.tension?.names.length ?? 0;
  for (const x of [solid, ...clear]) x.clear();
  for (const curve of data.curves) {
    const points = [], radii = curve.radii;
    for (let k = 0; k < curve.count; k++) points.push(at(P, curve.first + k));
    let colour = rgb(curve.color);
    if (curve.kind === "force" && !shown.forces) continue;
    if (curve.kind === "force" && size(sub(points[3], points[0])) < 1e-4 * data.size) continue;
    if (curve.tendon >= 0 && tensions) {
      const value = tensions[count * near + curve.tendon];
      const hangs = !(value > 0) && !data.tension.two_sided[curve.tendon];
      colour = hangs ? slack : value < 0 ? push : tensionColour(value);
      if (hangs) {
        for (const piece of dashed(points, 0.022 * data.size)) {
          tube(solid, piece, piece.map(() => radii[0]), colour, false);
        }
        continue;
      }
    }
    if (curve.sides >= 0) {
      const sides = points.map((_, k) => at(P, curve.sides + k));
      ribbon(solid, points, sides, radii, colour);
    } else tube(solid, points, radii, colour, ["bar", "link"].includes(curve.kind));
  }
  for (const body of shapes) {
    bodyMesh(body.opacity < 1 ? clear[opacities.indexOf(body.opacity)] : solid, body, P);
  }
  return P;
}

function extras(mesh, frame, P) { // the path of the tip, the points of a cloud
  mesh.clear();
  if (shown.trail && data.ordered && N > 1) {
    const points = [], k = 3 * data.tip;
    for (let f = 0; f <= Math.floor(frame); f++) {
      points.push([0, 1, 2].map((i) => data.low[i] + data.scale[i] * steps[3 * M * f + k + i]));
    }
    points.push(at(P, data.tip));
    const pieces = data.words.length ? byWord(points) : [[points, rgb(data.colors.trail)]];
    for (const [piece, colour] of pieces) {
      tube(mesh, piece, piece.map(() => 0.0022 * data.size), colour, false);
    }
  }
  if (data.cloud) cloud(mesh, Math.round(frame));
}

function triads(mesh, P) { // axes of frames
  mesh.clear();
  if (shown.frames) data.axes.names.forEach((_, k) => {
    const first = data.axes.first + 4 * k, o = at(P, first);
    ["#d04437", "#2f9e44", "#1c6dd0"].forEach((hex, i) =>
      tube(mesh, [o, at(P, first + 1 + i)], [1, 1].map(() => 0.0022 * data.size), rgb(hex)));
  });
}

function byWord(points) { // pieces of one stability each
  const pieces = [];
  for (let k = 0; k + 1 < points.length; k++) {
    const word = data.words[Math.min(k, N - 1)], last = pieces[pieces.length - 1];
    if (last && last[2] === word) last[0].push(points[k + 1]);
    else pieces.push([[points[k], points[k + 1]], rgb(data.wordColors[word]), word]);
  }
  return pieces;
}

const places = data.cloud ? floats(data.cloud.points) : null;
function cloud(mesh, chosen) {
  const r = data.cloud.radius, dirs = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1],
    [0, 0, -1]], faces = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5],
    [3, 1, 5], [0, 3, 5]];
  mesh.grow(6 * N, 24 * N);
  for (let k = 0; k < N; k++) {
    const first = mesh.n, c = rgb(data.wordColors[data.words[k]]), s = k === chosen ? 2.2 : 1;
    for (const d of dirs) {
      mesh.corner(add(at(places, k), mul(d, s * r)), d, k === chosen ? [0.15, 0.17, 0.22] : c);
    }
    for (const f of faces) mesh.triangle(first + f[0], first + f[1], first + f[2]);
  }
}

// WebGL --------------------------------------------------------------------------------------
const canvas = document.querySelector("#view canvas");
const gl = canvas.getContext("webgl2", { antialias: true, alpha: false,
  preserveDrawingBuffer: true });
if (!gl) byId("note").textContent = "This browser has no WebGL 2, so that the robot is not shown.";

function program() {
  const part = (kind, text) => {
    const s = gl.createShader(kind);
    gl.shaderSource(s, text); gl.compileShader(s);
    if (!gl.getShaderParameter(s, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(s));
    return s;
  };
  const made = gl.createProgram();
  gl.attachShader(made, part(gl.VERTEX_SHADER, `#version 300 es
    in vec3 position, normal, colour; uniform mat4 camera; uniform vec4 floor_;
    out vec3 n, c; out vec3 world;
    void main() {
      vec3 p = position;
      if (floor_.w > -1e30) p -= (dot(p, floor_.xyz) - floor_.w) * floor_.xyz;
      world = p; n = normal; c = colour; gl_Position = camera * vec4(p, 1.0); }`));
  gl.attachShader(made, part(gl.FRAGMENT_SHADER, `#version 300 es
    precision highp float; in vec3 n, c; in vec3 world; out vec4 shade;
    uniform vec3 viewer, up; uniform float alpha, flat_;
    void main() {
      if (flat_ > 0.5) { shade = vec4(flat_ > 1.5 ? vec3(0.885, 0.902, 0.922) : c, alpha); return; }
      vec3 m = normalize(n), v = normalize(viewer); if (dot(m, v) < 0.0) m = -m;
      vec3 lamp = normalize(v + 0.55 * up + 0.35 * cross(up, v));
      float light = 0.46 + 0.16 * (0.5 + 0.5 * dot(m, up)) + 0.46 * max(dot(m, lamp), 0.0);
      float shine = 0.16 * pow(max(dot(m, normalize(lamp + v)), 0.0), 32.0);
      shade = vec4(c * light + shine, alpha); }`));
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  return made;
}

class Drawn { // a mesh on the graphics card
  constructor(prog) {
    this.array = gl.createVertexArray(); this.corners = gl.createBuffer();
    this.indices = gl.createBuffer(); this.count = 0;
    gl.bindVertexArray(this.array); gl.bindBuffer(gl.ARRAY_BUFFER, this.corners);
    ["position", "normal", "colour"].forEach((name, k) => {
      const where = gl.getAttribLocation(prog, name);
      gl.enableVertexAttribArray(where);
      gl.vertexAttribPointer(where, 3, gl.FLOAT, false, 36, 12 * k);
    });
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.indices);
  }
  fill(mesh) {
    gl.bindVertexArray(this.array); gl.bindBuffer(gl.ARRAY_BUFFER, this.corners);
    gl.bufferData(gl.ARRAY_BUFFER, mesh.v.subarray(0, 9 * mesh.n), gl.DYNAMIC_DRAW);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.indices);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.i.subarray(0, mesh.m), gl.DYNAMIC_DRAW);
    this.count = mesh.m;
  }
  draw() {
    gl.bindVertexArray(this.array);
    gl.drawElements(gl.TRIANGLES, this.count, gl.UNSIGNED_INT, 0);
  }
}

// Camera: around a middle, by angles about `up` -----------------------------------------------
const up = data.up, toViewer = data.view[2];
let ahead = unit(sub(toViewer, mul(up, dot(toViewer, up))));
if (!size(ahead)) ahead = unit(data.view[0]);
const aside = cross(up, ahead);
const home = { middle: data.middle, azimuth: 0, elevation: Math.asin(dot(toViewer, up)),
  distance: 0 };
let camera = { ...home };
const MARGIN = 1.12; // of a picture over what it must show

function look() {
  const w = canvas.clientWidth || 1, h = canvas.clientHeight || 1, angle = 0.5;
  const e = camera.elevation, a = camera.azimuth;
  const flat = add(mul(ahead, Math.cos(a)), mul(aside, Math.sin(a)));
  const back = add(mul(flat, Math.cos(e)), mul(up, Math.sin(e)));
  const right = unit(cross(up, back)), top = cross(back, right);
  const room = MARGIN / Math.tan(angle / 2);
  const fit = Math.max(...data.outline.map(([x, y, near]) =>
    near + room * Math.max(Math.abs(x) * h / w, Math.abs(y)))) || data.size * room;
  const d = camera.distance || fit, eye = add(camera.middle, mul(back, d));
  const f = 1 / Math.tan(angle / 2), near = 0.02 * d, far = 20 * d + 10 * data.reach;
  const r = [right, top, back].map((x) => [...x, -dot(x, eye)]);
  const m = [r[0].map((x) => x * f * h / w), r[1].map((x) => x * f),
    r[2].map((x) => x * (far + near) / (near - far)), r[2].map((x) => -x)];
  m[2][3] += 2 * far * near / (near - far);
  const flatM = new Float32Array(16);
  for (let i = 0; i < 4; i++) for (let j = 0; j < 4; j++) flatM[4 * j + i] = m[i][j];
  return { matrix: flatM, back, right, top, eye, distance: d, f, w, h };
}
const onScreen = (p, L) => {
  const q = sub(p, L.eye), depth = -dot(q, L.back);
  return [L.w / 2 + L.f * L.h / 2 * dot(q, L.right) / depth,
    L.h / 2 - L.f * L.h / 2 * dot(q, L.top) / depth, depth];
};

let draw = () => {};
if (gl) {
  const prog = program(), where = (name) => gl.getUniformLocation(prog, name);
  const names = ["camera", "viewer", "up", "alpha", "flat_", "floor_"];
  const uniform = Object.fromEntries(names.map((x) => [x, where(x)]));
  const [solid, more, axes, ground] = [0, 1, 2, 3].map(() => new Drawn(prog));
  const meshes = [0, 1, 2].map(() => new Mesh(4000));
  const clear = opacities.map(() => [new Drawn(prog), new Mesh(1000)]);
  const floor = new Mesh(400), grey = rgb(data.colors.grid);
  for (const [a, b] of data.floor) {
    tube(floor, [a, b], [1, 1].map(() => 0.0012 * data.size), grey, false);
  }
  ground.fill(floor);
  let last = -1, options = "";
  draw = (frame) => {
    const wide = Math.round(canvas.clientWidth * devicePixelRatio);
    const high = Math.round(canvas.clientHeight * devicePixelRatio);
    if (canvas.width !== wide || canvas.height !== high) { canvas.width = wide;
      canvas.height = high; }
    if (frame !== last || options !== JSON.stringify(shown)) {
      const P = build(frame, meshes[0], clear.map(([, mesh]) => mesh));
      extras(meshes[1], frame, P);
      triads(meshes[2], P);
      [solid, more, axes].forEach((x, k) => x.fill(meshes[k]));
      for (const [drawn, mesh] of clear) drawn.fill(mesh);
      last = frame; options = JSON.stringify(shown);
    }
    const L = look();
    gl.viewport(0, 0, wide, high); gl.clearColor(1, 1, 1, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST); gl.useProgram(prog);
    gl.uniformMatrix4fv(uniform.camera, false, L.matrix);
    gl.uniform3fv(uniform.viewer, L.back); gl.uniform3fv(uniform.up, up);
    const style = (alpha, flat, height) => {
      gl.uniform1f(uniform.alpha, alpha); gl.uniform1f(uniform.flat_, flat);
      gl.uniform4f(uniform.floor_, ...up, height);
    };
    const none = -2e30;
    if (shown.shadow && data.floor.length) { style(1, 2, data.floorHeight); solid.draw(); }
    style(1, 1, none); ground.draw();
    style(1, 0, none); solid.draw(); more.draw();
    gl.enable(gl.BLEND); gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false); gl.enable(gl.CULL_FACE);
    clear.forEach(([drawn], k) => { style(opacities[k], 0, none); drawn.draw(); });
    gl.depthMask(true); gl.disable(gl.BLEND); gl.disable(gl.CULL_FACE);
    gl.clear(gl.DEPTH_BUFFER_BIT); // frames are seen through bodies
    style(1, 0, none); axes.draw();
  };
}

// Time -----------------------------------------------------------------------------------------
let frame = 0, playing = false, before = 0;
const slider = byId("slider"), now = byId("now"), play = byId("play"), note = byId("note");
const begin = times[0], end = times[N - 1], length = end - begin;
slider.max = N - 1; slider.step = data.ordered ? "any" : 1;
const seconds = data.unit === "s" ? 1 : 6 / (length || 1); // a path takes six seconds
const factor = () => Number(byId("speed").value || 1);

function valueAt(f) {
  const a = Math.min(Math.floor(f), N - 1), b = Math.min(a + 1, N - 1);
  return times[a] + (f - a) * (times[b] - times[a]);
}
function frameAt(value) {
  if (value >= end) return N - 1;
  let a = 0, b = N - 1;
  while (b - a > 1) { const c = (a + b) >> 1; if (times[c] <= value) a = c; else b = c; }
  return a + (value - times[a]) / (times[b] - times[a] || 1);
}
const digits = Math.max(0, Math.min(4, Math.ceil(2 - Math.log10(length || 1))));
function show(f) {
  frame = Math.max(0, Math.min(N - 1, f));
  slider.value = frame;
  const value = valueAt(frame), k = Math.round(frame), unitText = data.unit ? ` ${data.unit}` : "";
  now.textContent = data.ordered ? `${data.symbol} = ${value.toFixed(digits)}${unitText}`
    : data.labels[k];
  const word = data.words[k];
  note.textContent = [data.labels && data.ordered ? data.labels[k] : "",
    word ? word.replace(/,|$/, " equilibrium$&") : ""].filter(Boolean).join("\n");
  note.style.color = word ? data.wordColors[word.split(",")[0]] : "";
  if (!playing) play.textContent = frame >= N - 1 ? "Again" : "Play";
  document.body.dataset.value = value; document.body.dataset.frame = frame;
  refresh();
}
function setPlaying(on) {
  playing = on && N > 1;
  play.textContent = playing ? "Pause" : frame >= N - 1 ? "Again" : "Play";
  document.body.dataset.playing = playing;
  before = performance.now();
  if (playing) requestAnimationFrame(tick);
}
function tick(stamp) {
  if (!playing) return;
  const value = valueAt(frame) + Math.max(0, stamp - before) / 1000 * factor() / seconds;
  before = stamp;
  show(frameAt(value));
  if (frame >= N - 1) setPlaying(false); else requestAnimationFrame(tick);
}
let asked = false;
function refresh() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => { asked = false; draw(frame); cursors(); });
}

play.onclick = () => { if (!playing && frame >= N - 1) show(0); setPlaying(!playing); };
byId("step").onclick = () => { setPlaying(false); show(Math.floor(frame + 1e-9) + 1); };
slider.oninput = () => { setPlaying(false); show(Number(slider.value)); };
for (const s of [0.05, 0.1, 0.25, 0.5, 1, 2, 5]) {
  const option = element("option", `${s} \u00d7`, byId("speed"));
  option.value = s; option.selected = s === 1;
}
document.querySelector("footer").hidden = N < 2;
if (!data.ordered) for (const id of ["play", "speed"]) byId(id).hidden = true;
addEventListener("keydown", (event) => {
  if (event.key === " " && event.target.tagName !== "BUTTON") { play.click();
    event.preventDefault(); }
});

if (data.words.length && data.ordered) {
  const strip = byId("strip"), pen = strip.getContext("2d");
  strip.width = N; strip.height = 1;
  data.words.forEach((word, k) => { pen.fillStyle = data.wordColors[word];
    pen.fillRect(k, 0, 1, 1); });
} else byId("strip").hidden = true;

// The mouse: turn, move, zoom, and choose a point of a cloud ------------------------------------
const fingers = new Map();
let moved = 0;
canvas.addEventListener("pointerdown", (event) => {
  fingers.set(event.pointerId, [event.clientX, event.clientY]); moved = 0;
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener("pointermove", (event) => {
  const old = fingers.get(event.pointerId);
  if (!old) return;
  const dx = event.clientX - old[0], dy = event.clientY - old[1], L = look();
  moved += Math.abs(dx) + Math.abs(dy);
  if (fingers.size === 2) {
    const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
    const gap = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
    camera.distance = L.distance * gap(old) / gap([event.clientX, event.clientY]);
  } else if (event.shiftKey || event.buttons === 2 || event.buttons === 4) {
    const s = 2 * L.distance / (L.f * L.h);
    camera.middle = add(camera.middle, add(mul(L.right, -dx * s), mul(L.top, dy * s)));
  } else {
    camera.azimuth -= 0.008 * dx;
    camera.elevation = Math.max(-1.5, Math.min(1.5, camera.elevation + 0.008 * dy));
  }
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  refresh();
});
canvas.addEventListener("pointerup", (event) => {
  fingers.delete(event.pointerId);
  if (moved > 4 || !data.cloud) return;
  const box = canvas.getBoundingClientRect(), L = look();
  let best = 14, found = -1;
  for (let k = 0; k < N; k++) {
    const [x, y] = onScreen(at(places, k), L);
    const gap = Math.hypot(x - event.clientX + box.left, y - event.clientY + box.top);
    if (gap < best) { best = gap; found = k; }
  }
  if (found >= 0) show(found);
});
canvas.addEventListener("pointercancel", (event) => fingers.delete(event.pointerId));
canvas.addEventListener("wheel", (event) => {
  camera.distance = look().distance * Math.exp(0.001 * event.deltaY);
  event.preventDefault(); refresh();
}, { passive: false });
canvas.addEventListener("contextmenu", (event) => event.preventDefault());
canvas.addEventListener("dblclick", () => { camera = { ...home }; refresh(); });

// What is beside it ------------------------------------------------------------------------------
const choices = [["trail", "path of the tip", data.ordered && N > 1],
  ["frames", "frames", data.axes.names.length > 0],
  ["shadow", "shadow", data.floor.length > 0],
  ["forces", "forces", data.curves.some((x) => x.kind === "force")]];
for (const [name, text, there] of choices) if (there) {
  const label = element("label", `${text} `, byId("options")), box = element("input", "", label);
  box.type = "checkbox"; box.checked = shown[name]; box.name = name;
  box.onchange = () => { shown[name] = box.checked; refresh(); };
}
const key = byId("key");
if (data.tension) {
  element("div", "tension", key);
  const bar = element("div", "", key, "bar"), ends = element("div", "", key, "ends");
  bar.style.background = `linear-gradient(90deg, ${data.palette.join(", ")})`;
  element("span", "0", ends); element("span", `${Number(data.tension.max.toPrecision(3))} N`, ends);
  if (data.tension.slack) { const row = element("div", "", key); element("span", "", row, "dash");
    row.append(" slack"); }
  if (data.tension.pushes) { const row = element("div", "", key);
    element("span", "", row, "dot").style.background = data.colors.push; row.append("pushes"); }
}
if (data.force) element("div", `longest arrow ${Number(data.force.toPrecision(3))} N`, key);
if (data.words.length) element("div", data.locked, key);
for (const [word, colour] of data.words.length ? Object.entries(data.wordColors) : []) {
  if (!data.words.includes(word)) continue;
  const row = element("div", "", key);
  element("span", "", row, "dot").style.background = colour; row.append(word);
}
for (const table of data.tables) {
  const made = element("table", undefined, byId("plots"));
  const head = element("tr", undefined, made);
  for (const text of table.head) element("th", text, head);
  for (const cells of table.rows) {
    const row = element("tr", undefined, made);
    cells.forEach((text, k) => element("td", text, row, k ? "n" : ""));
  }
}

const plots = data.panels.map((panel) => {
  const box = element("div", undefined, byId("plots"), "plot");
  element("b", panel.label, box);
  const names = element("div", undefined, box, "names");
  panel.names.forEach((name, k) => {
    const one = element("span", undefined, names), mark = element("span", "\u2014 ", one);
    mark.style.color = panel.colors[k]; mark.style.fontWeight = 900; mark.style.marginRight = 0;
    one.append(name);
  });
  const sheet = element("canvas", undefined, box), values = panel.curves.map(floats);
  const seek = (event) => {
    if (event.type === "pointermove" && !event.buttons) return;
    const area = sheet.getBoundingClientRect(), x = event.clientX - area.left;
    setPlaying(false);
    const s = (x - LEFT) / (area.width - LEFT - 6);
    show(frameAt(begin + Math.max(0, Math.min(1, s)) * length));
  };
  if (data.ordered) { sheet.onpointerdown = seek; sheet.onpointermove = seek; }
  let low = Infinity, high = -Infinity;
  for (const y of values) for (const v of y) if (Number.isFinite(v)) {
    low = Math.min(low, v); high = Math.max(high, v); }
  if (!(low <= high)) [low, high] = [-1, 1];
  if (high - low < 1e-9 * (1 + Math.abs(high))) { low -= 0.5 + 0.01 * Math.abs(low);
    high += 0.5 + 0.01 * Math.abs(high); }
  const edge = 0.06 * (high - low);
  return { panel, sheet, values, low: low - edge, high: high + edge, still: null };
});
const plotTimes = data.panels.length ? floats(data.panelTimes) : null, LEFT = 52;

function niceTicks(low, high, most) {
  const raw = (high - low) / most, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= raw), out = [];
  for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * step; k++) out.push(k * step);
  return [out, Math.max(0, -Math.floor(Math.log10(step) + 1e-9))];
}
function drawPlot(plot) {
  const { sheet, low, high } = plot, w = sheet.clientWidth, h = sheet.clientHeight;
  const still = document.createElement("canvas"), r = devicePixelRatio;
  still.width = sheet.width = Math.round(w * r); still.height = sheet.height = Math.round(h * r);
  const pen = still.getContext("2d");
  pen.scale(r, r); pen.font = "11px system-ui, sans-serif";
  const X = (t) => LEFT + (t - begin) / (length || 1) * (w - LEFT - 6);
  const Y = (v) => h - 18 - (v - low) / (high - low) * (h - 24);
  pen.lineWidth = 1; pen.fillStyle = "#6f7a88"; pen.textAlign = "right"; pen.textBaseline = "middle";
  const [ys, dy] = niceTicks(low, high, 4), [xs, dx] = niceTicks(begin, end, Math.max(2, w / 90));
  for (const y of ys) {
    pen.strokeStyle = y === 0 ? "#b9c1cb" : "#e9ecf0";
    pen.beginPath(); pen.moveTo(LEFT, Y(y)); pen.lineTo(w - 6, Y(y)); pen.stroke();
    const big = Math.abs(y) >= 1e5 || (y && Math.abs(y) < 1e-4);
    pen.fillText(big ? y.toExponential(1) : y.toFixed(dy), LEFT - 6, Y(y));
  }
  pen.textAlign = "center"; pen.textBaseline = "top"; pen.strokeStyle = "#e9ecf0";
  for (const x of xs) {
    pen.beginPath(); pen.moveTo(X(x), 6); pen.lineTo(X(x), h - 18); pen.stroke();
    pen.fillText(x.toFixed(dx) + (x === xs[xs.length - 1] && data.unit ? ` ${data.unit}` : ""),
      Math.min(X(x), w - 22), h - 14);
  }
  pen.lineWidth = 1.5; pen.lineJoin = "round";
  plot.values.forEach((y, k) => {
    pen.strokeStyle = plot.panel.colors[k]; pen.beginPath();
    let down = false;
    for (let i = 0; i < y.length; i++) {
      if (!Number.isFinite(y[i])) { down = false; continue; }
      if (down) pen.lineTo(X(plotTimes[i]), Y(y[i])); else pen.moveTo(X(plotTimes[i]), Y(y[i]));
      down = true;
    }
    pen.stroke();
  });
  plot.still = still; plot.X = X;
}
function cursors() {
  for (const plot of plots) {
    if (!plot.sheet.clientWidth || !plot.sheet.clientHeight) continue; // a frame that is not laid out
    if (!plot.still) drawPlot(plot);
    const pen = plot.sheet.getContext("2d"), r = devicePixelRatio;
    pen.clearRect(0, 0, plot.sheet.width, plot.sheet.height);
    pen.drawImage(plot.still, 0, 0);
    pen.fillStyle = "#252b37";
    pen.fillRect(r * plot.X(valueAt(frame)) - r / 2, 4 * r, r, plot.sheet.height - 22 * r);
  }
}
addEventListener("resize", () => { for (const plot of plots) plot.still = null; refresh(); });

window.chorda = { // for scripts and tests
  anchors: (f) => Array.from(anchorsAt(f)), tip: (f) => at(anchorsAt(f), data.tip),
  times: Array.from(times), show,
};
show(data.start);
setPlaying(data.ordered && N > 1 && !matchMedia("(prefers-reduced-motion: reduce)").matches);
