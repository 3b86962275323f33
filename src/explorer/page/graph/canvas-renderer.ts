/** The map on a plain canvas: nodes in batches of one colour, links in one stroke. */
import {
  edgeAlpha,
  MOVING_LINKS,
  MOVING_NODES,
  radiusOf,
  type Renderer,
  type Rgb,
  type Scene,
} from './renderer.ts'

export function openCanvasRenderer(canvas: HTMLCanvasElement): Renderer {
  const context = canvas.getContext('2d', { alpha: false })!
  return {
    kind: 'canvas',
    draw: (scene) => draw(context, scene),
    finish: () => {},
    dispose: () => {},
  }
}

function draw(context: CanvasRenderingContext2D, scene: Scene): void {
  const { map, camera, size, hidden, lit, type, moving } = scene
  const ratio = context.canvas.width / Math.max(1, size.width)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.fillStyle = css(scene.ground)
  context.fillRect(0, 0, size.width, size.height)
  const x = (node: number): number =>
    (map.places[2 * node]! - camera.x) * camera.scale + size.width / 2
  const y = (node: number): number =>
    (map.places[2 * node + 1]! - camera.y) * camera.scale + size.height / 2
  const links = map.to.length
  const stride = moving ? Math.max(1, Math.ceil(links / MOVING_LINKS)) : 1

  const strokeLinks = (wanted: (a: number, b: number) => boolean, alpha: number): void => {
    context.beginPath()
    for (let node = 0; node < map.nodeCount; node++) {
      if (hidden[node] !== 0) continue
      const fromX = x(node)
      const fromY = y(node)
      for (let k = map.start[node]!; k < map.start[node + 1]!; k++) {
        if (stride > 1 && k % stride !== 0) continue
        if (type !== undefined && map.type[k] !== type) continue
        const other = map.to[k]!
        if (hidden[other] !== 0 || !wanted(node, other)) continue
        const toX = x(other)
        const toY = y(other)
        if ((fromX < 0 && toX < 0) || (fromY < 0 && toY < 0)) continue
        if ((fromX > size.width && toX > size.width) || (fromY > size.height && toY > size.height))
          continue
        context.moveTo(fromX, fromY)
        context.lineTo(toX, toY)
      }
    }
    context.strokeStyle = css(scene.edge, alpha)
    context.lineWidth = 1
    context.stroke()
  }
  if (lit) strokeLinks((a, b) => lit[a] === 1 && lit[b] === 1, edgeAlpha(0, true))
  else strokeLinks(() => true, edgeAlpha(links, false))

  const thin = moving && map.nodeCount > MOVING_NODES
  for (const [colour, rgb] of scene.palette.entries()) {
    for (const faded of lit ? [true, false] : [false]) {
      context.fillStyle = css(rgb, faded ? 0.16 : 1)
      for (let node = 0; node < map.nodeCount; node++) {
        if (scene.colour[node] !== colour || hidden[node] !== 0) continue
        if (lit && (lit[node] === 1) === faded) continue
        if (thin && map.degree[node]! < 3) continue
        const atX = x(node)
        const atY = y(node)
        if (atX < -9 || atY < -9 || atX > size.width + 9 || atY > size.height + 9) continue
        const radius = radiusOf(map.degree[node]!, camera.scale, map.nodeCount)
        if (radius < 2.2) {
          context.fillRect(atX - radius, atY - radius, 2 * radius, 2 * radius)
          continue
        }
        context.beginPath()
        context.arc(atX, atY, radius, 0, 2 * Math.PI)
        context.fill()
      }
    }
  }
}

function css([red, green, blue]: Rgb, alpha = 1): string {
  return `rgb(${red} ${green} ${blue} / ${alpha})`
}
