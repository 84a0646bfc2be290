// Points by WebGL 2, written by hand: libraries that compile their draw calls need a policy that allows eval, and this page's does not.
import { scaleOf } from "./camera";
import { opacityOf, radiusOf, type Renderer, type Scene } from "./points";

const VERTEX = `#version 300 es
in vec2 position;
in vec4 paint;
uniform vec2 center, scale;
uniform float radius, opacity, wanted;
out vec4 color;
void main() {
  float how = floor(paint.a * 255.0 + 0.5);
  bool here = wanted < 2.0 ? how == 1.0 : how == wanted;
  vec2 at = (position - center) * scale;
  gl_Position = here ? vec4(at, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = how > 2.5 ? 2.0 * radius * 1.7 + 1.0 : 2.0 * radius + 1.0;
  color = vec4(paint.rgb, how < 1.5 ? 0.14 : how > 2.5 ? 0.96 : opacity);
}`;

const FRAGMENT = `#version 300 es
precision mediump float;
in vec4 color;
uniform float edge;
out vec4 drawn;
void main() {
  float far = length(gl_PointCoord - 0.5) * 2.0;
  float alpha = color.a * (edge > 0.9 ? 1.0 : 1.0 - smoothstep(edge, 1.0, far));
  drawn = vec4(color.rgb * alpha, alpha);
}`;

const UNIFORMS = ["center", "scale", "radius", "opacity", "wanted", "edge"] as const;

function compiled(gl: WebGL2RenderingContext, kind: number, source: string): WebGLShader {
  const shader = gl.createShader(kind);
  if (!shader) throw new Error("no shader");
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) throw new Error(gl.getShaderInfoLog(shader) ?? "shader");
  return shader;
}

function linked(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram();
  gl.attachShader(program, compiled(gl, gl.VERTEX_SHADER, VERTEX));
  gl.attachShader(program, compiled(gl, gl.FRAGMENT_SHADER, FRAGMENT));
  gl.bindAttribLocation(program, 0, "position");
  gl.bindAttribLocation(program, 1, "paint");
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(program) ?? "program");
  return program;
}

export class GlPoints implements Renderer {
  readonly kind = "webgl";
  private program: WebGLProgram | null = null;
  private readonly uniforms = new Map<string, WebGLUniformLocation | null>();
  private buffers: [WebGLBuffer | null, WebGLBuffer | null] = [null, null];
  private positions = new Float32Array(0);
  private paints = new Uint8Array(0);

  private constructor(private readonly gl: WebGL2RenderingContext) {
    this.prepare();
  }

  /** A renderer for the canvas, or null where the browser has no WebGL 2. */
  static on(canvas: HTMLCanvasElement): GlPoints | null {
    try {
      const gl = canvas.getContext("webgl2", { alpha: true, premultipliedAlpha: true, antialias: false, depth: false, powerPreference: "high-performance" });
      return gl ? new GlPoints(gl) : null;
    } catch {
      return null;
    }
  }

  /** Everything on the graphics card; called again after the browser gives back a context that it took. */
  prepare(): void {
    const gl = this.gl;
    this.program = linked(gl);
    for (const name of UNIFORMS) this.uniforms.set(name, gl.getUniformLocation(this.program, name));
    this.buffers = [gl.createBuffer(), gl.createBuffer()];
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.setPositions(this.positions);
    this.setPaints(this.paints);
  }

  setPositions(positions: Float32Array): void {
    this.positions = Float32Array.from(positions, (value) => (Number.isFinite(value) ? value : 1e9));
    this.fill(0, this.positions, 2, this.gl.FLOAT, false);
  }

  setPaints(paints: Uint8Array): void {
    this.paints = paints as Uint8Array<ArrayBuffer>;
    this.fill(1, this.paints, 4, this.gl.UNSIGNED_BYTE, true);
  }

  private fill(slot: 0 | 1, data: Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>, width: number, type: number, normalized: boolean): void {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[slot]);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    gl.enableVertexAttribArray(slot);
    gl.vertexAttribPointer(slot, width, type, normalized, 0, 0);
  }

  draw(scene: Scene): void {
    const { gl } = this, { camera, size, ratio } = scene, count = Math.min(this.positions.length / 2, this.paints.length / 4);
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (!count) return;
    const scale = scaleOf(camera, scene.extent, size), radius = radiusOf(count, camera.zoom, size) * ratio;
    gl.useProgram(this.program);
    gl.uniform2f(this.at("center"), camera.x, camera.y);
    gl.uniform2f(this.at("scale"), (2 * scale) / size.width, (2 * scale) / size.height);
    gl.uniform1f(this.at("radius"), radius);
    gl.uniform1f(this.at("opacity"), opacityOf(count, camera.zoom));
    gl.uniform1f(this.at("edge"), radius < 1 ? 0.95 : Math.max(0.3, 1 - 1.4 / radius));
    for (const wanted of [1, 2, 3]) {
      gl.uniform1f(this.at("wanted"), wanted);
      gl.drawArrays(gl.POINTS, 0, count);
    }
  }

  private at(name: (typeof UNIFORMS)[number]): WebGLUniformLocation | null {
    return this.uniforms.get(name) ?? null;
  }

  dispose(): void {
    this.buffers.forEach((buffer) => { this.gl.deleteBuffer(buffer); });
    this.gl.deleteProgram(this.program);
  }
}
