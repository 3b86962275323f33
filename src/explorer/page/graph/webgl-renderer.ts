/** The map on a graphics card: two draw calls, whatever the number of nodes. */
import { edgeAlpha, radiusOf, type Renderer, type Rgb, type Scene } from './renderer.ts'

const PLACE = `
  uniform vec4 camera; // x, y, 2 * scale / width, 2 * scale / height
  vec2 onScreen(vec2 place) { return (place - camera.xy) * vec2(camera.z, -camera.w); }
`

const NODE_VERTEX = `#version 300 es
  ${PLACE}
  in vec2 place; in float radius; in vec4 colour;
  out vec4 shade;
  void main() {
    gl_Position = vec4(onScreen(place), 0.0, 1.0);
    gl_PointSize = radius;
    shade = colour;
  }`

const NODE_FRAGMENT = `#version 300 es
  precision mediump float;
  in vec4 shade; out vec4 pixel;
  void main() {
    float away = length(gl_PointCoord - vec2(0.5));
    pixel = vec4(shade.rgb, shade.a * smoothstep(0.5, 0.42, away));
    if (pixel.a < 0.01) discard;
  }`

const LINK_VERTEX = `#version 300 es
  ${PLACE}
  in vec2 place;
  void main() { gl_Position = vec4(onScreen(place), 0.0, 1.0); }`

const LINK_FRAGMENT = `#version 300 es
  precision mediump float;
  uniform vec4 tint; out vec4 pixel;
  void main() { pixel = tint; }`

/** Undefined where there is no card, or only a program that pretends to be one. */
export function openWebglRenderer(canvas: HTMLCanvasElement): Renderer | undefined {
  const gl = canvas.getContext('webgl2', {
    antialias: true,
    alpha: false,
    powerPreference: 'low-power',
  })
  if (!gl || isSoftware(gl)) return undefined
  const nodes = program(gl, NODE_VERTEX, NODE_FRAGMENT)
  const links = program(gl, LINK_VERTEX, LINK_FRAGMENT)
  if (!nodes || !links) return undefined
  const buffers = {
    place: gl.createBuffer(),
    radius: gl.createBuffer(),
    colour: gl.createBuffer(),
    link: gl.createBuffer(),
  }
  gl.enable(gl.BLEND)
  gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
  let filled: { scene: Scene; scale: number; count: number } | undefined

  const fill = (scene: Scene): number => {
    const same =
      filled &&
      filled.scene.map === scene.map &&
      filled.scene.colour === scene.colour &&
      filled.scene.lit === scene.lit &&
      filled.scene.hidden === scene.hidden &&
      filled.scene.type === scene.type &&
      filled.scene.palette === scene.palette
    if (same && filled && Math.abs(filled.scale / scene.camera.scale - 1) < 0.1) return filled.count
    upload(gl, buffers.place, Float32Array.from(scene.map.places))
    upload(gl, buffers.radius, radii(scene))
    upload(gl, buffers.colour, colours(scene))
    const lines = linePlaces(scene)
    upload(gl, buffers.link, lines)
    filled = { scene, scale: scene.camera.scale, count: lines.length / 2 }
    return filled.count
  }

  return {
    kind: 'webgl',
    draw(scene) {
      const { size, camera, map } = scene
      gl.viewport(0, 0, canvas.width, canvas.height)
      const [red, green, blue] = scene.ground
      gl.clearColor(red / 255, green / 255, blue / 255, 1)
      gl.clear(gl.COLOR_BUFFER_BIT)
      const count = fill(scene)
      const view = [
        camera.x,
        camera.y,
        (2 * camera.scale) / size.width,
        (2 * camera.scale) / size.height,
      ] as const
      gl.useProgram(links)
      gl.uniform4f(gl.getUniformLocation(links, 'camera'), ...view)
      const alpha = edgeAlpha(map.to.length, scene.lit !== undefined)
      gl.uniform4f(
        gl.getUniformLocation(links, 'tint'),
        scene.edge[0] / 255,
        scene.edge[1] / 255,
        scene.edge[2] / 255,
        alpha,
      )
      attribute(gl, links, 'place', buffers.link, 2, gl.FLOAT, false)
      gl.drawArrays(gl.LINES, 0, count)
      gl.useProgram(nodes)
      gl.uniform4f(gl.getUniformLocation(nodes, 'camera'), ...view)
      attribute(gl, nodes, 'place', buffers.place, 2, gl.FLOAT, false)
      attribute(gl, nodes, 'radius', buffers.radius, 1, gl.FLOAT, false)
      attribute(gl, nodes, 'colour', buffers.colour, 4, gl.UNSIGNED_BYTE, true)
      gl.drawArrays(gl.POINTS, 0, map.nodeCount)
    },
    finish() {
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4))
    },
    dispose() {
      for (const buffer of Object.values(buffers)) gl.deleteBuffer(buffer)
      gl.getExtension('WEBGL_lose_context')?.loseContext()
    },
  }
}

/** Chromium does not say that its software is slow; its name gives it away. */
function isSoftware(gl: WebGL2RenderingContext): boolean {
  const info = gl.getExtension('WEBGL_debug_renderer_info')
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER))
  return /swiftshader|llvmpipe|software|basic render/i.test(name)
}

function program(
  gl: WebGL2RenderingContext,
  vertex: string,
  fragment: string,
): WebGLProgram | undefined {
  const made = gl.createProgram()
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(kind)
    if (!shader) return undefined
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(made, shader)
  }
  gl.linkProgram(made)
  return gl.getProgramParameter(made, gl.LINK_STATUS) ? made : undefined
}

function upload(
  gl: WebGL2RenderingContext,
  buffer: WebGLBuffer | null,
  data: Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>,
): void {
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
  gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW)
}

function attribute(
  gl: WebGL2RenderingContext,
  made: WebGLProgram,
  name: string,
  buffer: WebGLBuffer | null,
  size: number,
  type: number,
  normalized: boolean,
): void {
  const at = gl.getAttribLocation(made, name)
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
  gl.enableVertexAttribArray(at)
  gl.vertexAttribPointer(at, size, type, normalized, 0, 0)
}

function radii({ map, camera, hidden }: Scene): Float32Array<ArrayBuffer> {
  const ratio = devicePixelRatio
  return Float32Array.from(map.degree, (degree, node) =>
    hidden[node] !== 0 ? 0 : 2 * ratio * radiusOf(degree, camera.scale, map.nodeCount),
  )
}

function colours({ map, colour, palette, lit, hidden }: Scene): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4 * map.nodeCount)
  for (let node = 0; node < map.nodeCount; node++) {
    const rgb: Rgb = palette[colour[node]!] ?? palette[0]!
    bytes.set(rgb, 4 * node)
    bytes[4 * node + 3] = hidden[node] !== 0 ? 0 : lit && lit[node] !== 1 ? 40 : 255
  }
  return bytes
}

function linePlaces({ map, hidden, lit, type }: Scene): Float32Array<ArrayBuffer> {
  const { nodeCount, start, to, places } = map
  const lines = new Float32Array(4 * to.length)
  let at = 0
  for (let node = 0; node < nodeCount; node++) {
    if (hidden[node] !== 0 || (lit && lit[node] !== 1)) continue
    for (let k = start[node]!; k < start[node + 1]!; k++) {
      const other = to[k]!
      if (type !== undefined && map.type[k] !== type) continue
      if (hidden[other] !== 0 || (lit && lit[other] !== 1)) continue
      lines[at++] = places[2 * node]!
      lines[at++] = places[2 * node + 1]!
      lines[at++] = places[2 * other]!
      lines[at++] = places[2 * other + 1]!
    }
  }
  return lines.slice(0, at)
}
