/** The picture itself: drawn when something changed, moved by mouse, finger and keys. */
import type { RefObject } from 'preact'
import { useEffect, useImperativeHandle, useRef } from 'preact/hooks'
import type { DrawnMap } from '../../../core/domain/map-format.ts'
import type { NamedRegion } from '../../wire/wire.ts'
import { IN_CHAT } from '../chat/in-chat.ts'
import { theme } from '../state/theme.ts'
import {
  fit,
  moveBy,
  nearest,
  toScreen,
  zoomAt,
  type Camera,
  type Point,
  type Size,
} from './camera.ts'
import { openCanvasRenderer } from './canvas-renderer.ts'
import { LABEL_HEIGHT, placeLabels, placeRegions, type Label } from './labels.ts'
import { radiusOf, type Renderer, type Rgb } from './renderer.ts'
import { openWebglRenderer } from './webgl-renderer.ts'

export interface MapHandle {
  act(what: 'fit' | 'in' | 'out' | 'left' | 'right' | 'up' | 'down'): void
  showLit(): void
}

export interface MapCanvasProps {
  readonly handle: RefObject<MapHandle | null>
  readonly map: DrawnMap
  readonly titles: readonly string[]
  readonly colour: Uint8Array
  readonly lit: Uint8Array | undefined
  readonly hidden: Uint8Array
  /** Only links of this type are drawn. */
  readonly type: number | undefined
  readonly selected: number | undefined
  readonly path: readonly number[] | undefined
  readonly label: string
  readonly regions: readonly NamedRegion[]
  /** What is lit while the pointer is over a node. */
  readonly litAround: (node: number) => Uint8Array
  readonly onSelect: (node: number | undefined) => void
  readonly onOpen: (node: number) => void
}

/**
 * Eleven colours that can be told apart on light and dark ground; the first is for everybody else.
 */
const LIGHT: readonly Rgb[] = [
  [138, 143, 150],
  [37, 104, 106],
  [178, 84, 32],
  [74, 94, 168],
  [150, 60, 120],
  [96, 122, 38],
  [190, 140, 20],
  [60, 130, 170],
  [120, 80, 50],
  [110, 70, 160],
  [170, 60, 70],
]
const DARK: readonly Rgb[] = [
  [120, 128, 136],
  [110, 196, 190],
  [236, 150, 98],
  [142, 165, 240],
  [226, 140, 196],
  [170, 200, 100],
  [236, 198, 90],
  [120, 190, 230],
  [200, 165, 130],
  [186, 150, 240],
  [240, 130, 140],
]

/**
 * One of the first frames slower than this, and a card that is none gives way to the plain canvas.
 */
const TOO_SLOW_MS = 120
const TIMED_FRAMES = 4
const STILL_MS = 160
const REGION_FONT = '600 15px system-ui, sans-serif'
const PICK = 14

export function MapCanvas(props: MapCanvasProps) {
  const box = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props
  const stage = useRef<Stage | undefined>(undefined)

  useEffect(() => {
    const opened = new Stage(box.current!, () => latest.current)
    stage.current = opened
    return () => opened.close()
  }, [props.map])
  useEffect(
    () => stage.current?.redraw(),
    [props.colour, props.lit, props.hidden, props.type, props.selected, theme.value],
  )
  useEffect(() => stage.current?.reveal(), [props.selected, props.path])
  useImperativeHandle(props.handle, () => ({
    act: (what) => stage.current?.act(what),
    showLit: () => stage.current?.showLit(),
  }))
  return (
    <div class="map" ref={box} role="img" aria-label={props.label} tabIndex={0}>
      <canvas class="map-picture" />
      <canvas class="map-names" />
    </div>
  )
}

class Stage {
  readonly #box: HTMLElement
  readonly #props: () => MapCanvasProps
  #picture: HTMLCanvasElement
  readonly #names: HTMLCanvasElement
  #renderer: Renderer
  #camera: Camera
  #size: Size = { width: 1, height: 1 }
  #order: Uint32Array
  #moving = false
  #frame = 0
  #still = 0
  #frames = 0
  readonly #closed = new AbortController()
  readonly #resize: ResizeObserver
  readonly #pointers = new Map<number, Point>()
  #dragged = 0
  /** The node under the pointer, and what is lit for it. */
  #over: { readonly node: number; readonly lit: Uint8Array } | undefined

  constructor(box: HTMLElement, props: () => MapCanvasProps) {
    this.#box = box
    this.#props = props
    this.#picture = box.querySelector('.map-picture')!
    this.#names = box.querySelector('.map-names')!
    // A chat gets one small document, and shows the map small.
    this.#renderer = (IN_CHAT ? undefined : openWebglRenderer(this.#picture)) ?? this.#plain()
    const { map } = props()
    this.#order = Uint32Array.from({ length: map.nodeCount }, (_, node) => node).toSorted(
      (a, b) => map.degree[b]! - map.degree[a]!,
    )
    this.#measure()
    this.#camera = fit(map.places, this.#size, (node) => props().hidden[node] === 0)
    this.#listen()
    this.#resize = new ResizeObserver(() => {
      this.#measure()
      this.redraw()
    })
    this.#resize.observe(box)
    this.redraw()
    if (props().lit) this.showLit()
  }

  close(): void {
    this.#closed.abort()
    this.#resize.disconnect()
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#still)
    this.#renderer.dispose()
  }

  redraw(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0
      this.#draw()
    })
  }

  act(what: Parameters<MapHandle['act']>[0]): void {
    const middle = { x: this.#size.width / 2, y: this.#size.height / 2 }
    const step = 80
    switch (what) {
      case 'fit':
        this.#camera = fit(
          this.#props().map.places,
          this.#size,
          (node) => this.#props().hidden[node] === 0,
        )
        break
      case 'in':
      case 'out':
        this.#camera = zoomAt(this.#camera, this.#size, middle, what === 'in' ? 1.4 : 1 / 1.4)
        break
      case 'left':
      case 'right':
        this.#camera = moveBy(this.#camera, what === 'left' ? step : -step, 0)
        break
      default:
        this.#camera = moveBy(this.#camera, 0, what === 'up' ? step : -step)
    }
    this.#move()
  }

  showLit(): void {
    const { lit, map } = this.#props()
    if (lit?.includes(1)) this.#camera = fit(map.places, this.#size, (node) => lit[node] === 1)
    this.#move()
  }

  /** What was chosen elsewhere comes into view. */
  reveal(): void {
    const { selected, path, lit, map } = this.#props()
    if (path || (lit && selected !== undefined)) {
      this.showLit()
      return
    }
    if (selected === undefined) return
    const { x, y } = this.#at(selected)
    const away = x < 30 || y < 30 || x > this.#size.width - 30 || y > this.#size.height - 30
    if (away) {
      this.#camera = {
        ...this.#camera,
        x: map.places[2 * selected]!,
        y: map.places[2 * selected + 1]!,
      }
    }
    this.redraw()
  }

  /** A canvas that has been used for a card cannot be used for drawing. */
  #plain(): Renderer {
    const fresh = document.createElement('canvas')
    fresh.className = 'map-picture'
    this.#picture.replaceWith(fresh)
    this.#picture = fresh
    return openCanvasRenderer(fresh)
  }

  #measure(): void {
    const { width, height } = this.#box.getBoundingClientRect()
    this.#size = { width: Math.max(1, width), height: Math.max(1, height) }
    for (const canvas of [this.#picture, this.#names]) {
      canvas.width = Math.round(this.#size.width * devicePixelRatio)
      canvas.height = Math.round(this.#size.height * devicePixelRatio)
    }
  }

  #at(node: number): Point {
    const { places } = this.#props().map
    return toScreen(this.#camera, this.#size, { x: places[2 * node]!, y: places[2 * node + 1]! })
  }

  #move(): void {
    this.#moving = true
    clearTimeout(this.#still)
    this.#still = setTimeout(() => {
      this.#moving = false
      this.redraw()
    }, STILL_MS) as unknown as number
    this.redraw()
  }

  #draw(): void {
    const { map, colour, hidden, type } = this.#props()
    const lit = this.#over?.lit ?? this.#props().lit
    const dark = isDark()
    const started = performance.now()
    this.#renderer.draw({
      map,
      camera: this.#camera,
      size: this.#size,
      colour,
      palette: dark ? DARK : LIGHT,
      edge: dark ? [150, 165, 175] : [90, 100, 110],
      ground: dark ? [22, 24, 26] : [246, 245, 242],
      lit,
      hidden,
      type,
      moving: this.#moving,
    })
    // Said to be a card, and draws like none: the first frames tell. The very first also compiles.
    if (this.#renderer.kind === 'webgl' && this.#frames < TIMED_FRAMES) {
      this.#renderer.finish()
      const slow = performance.now() - started > TOO_SLOW_MS
      if (this.#frames++ > 0 && slow) {
        this.#renderer.dispose()
        this.#renderer = this.#plain()
        this.#measure()
        this.redraw()
      }
    }
    this.#box.dataset['renderer'] = this.#renderer.kind
    this.#write(dark)
  }

  #write(dark: boolean): void {
    const { map, titles, hidden, selected, regions } = this.#props()
    const lit = this.#over?.lit ?? this.#props().lit
    const first = this.#over?.node ?? selected
    const context = this.#names.getContext('2d')!
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
    context.clearRect(0, 0, this.#size.width, this.#size.height)
    const measure = (text: string): number => context.measureText(text).width
    const view = { camera: this.#camera, size: this.#size, measure }
    context.font = REGION_FONT
    const named = lit ? [] : placeRegions({ ...view, regions })
    context.font = '12px system-ui, sans-serif'
    const labels = placeLabels({
      ...view,
      places: map.places,
      order: this.#worthNaming(lit, hidden, first),
      nameOf: (node) => titles[node] ?? '',
      taken: named,
    })
    context.textBaseline = 'middle'
    context.lineJoin = 'round'
    context.lineWidth = 4
    context.strokeStyle = dark ? 'rgb(22 24 26 / 85%)' : 'rgb(246 245 242 / 85%)'
    for (const { text, x, y, node } of labels) {
      context.fillStyle = dark ? '#e3e3df' : '#23262a'
      context.font =
        node === first ? '600 12px system-ui, sans-serif' : '12px system-ui, sans-serif'
      context.strokeText(text, x, y)
      context.fillText(text, x, y)
    }
    context.font = REGION_FONT
    context.fillStyle = dark ? '#a9c9c7' : '#1d5253'
    for (const { text, x, y } of named) {
      context.strokeText(text, x, y)
      context.fillText(text, x, y)
    }
    if (selected !== undefined) {
      const { x, y } = this.#at(selected)
      context.beginPath()
      context.arc(
        x,
        y,
        radiusOf(map.degree[selected]!, this.#camera.scale, map.nodeCount) + 4,
        0,
        2 * Math.PI,
      )
      context.strokeStyle = dark ? '#83c7c3' : '#25686a'
      context.lineWidth = 2
      context.stroke()
    }
    this.#tellTests(labels)
    this.#box.dataset['regions'] = JSON.stringify(named.map(({ text }) => text))
    this.#box.dataset['over'] = this.#over === undefined ? '' : (titles[this.#over.node] ?? '')
  }

  /** Its name is written and its neighbours are lit, as long as the pointer is there. */
  #hover(node: number | undefined): void {
    if (node === this.#over?.node) return
    this.#box.classList.toggle('over-node', node !== undefined)
    this.#over = node === undefined ? undefined : { node, lit: this.#props().litAround(node) }
    this.redraw()
  }

  *#worthNaming(
    lit: Uint8Array | undefined,
    hidden: Uint8Array,
    first: number | undefined,
  ): Iterable<number> {
    if (first !== undefined) yield first
    for (const node of this.#order) {
      if (node !== first && hidden[node] === 0 && (!lit || lit[node] === 1)) yield node
    }
  }

  /** What is written where, for whoever cannot see the picture: tests, above all. */
  #tellTests(labels: readonly Label[]): void {
    this.#box.dataset['labels'] = JSON.stringify(
      labels.map(({ text, x, y, width }) => [
        text,
        Math.round(x),
        Math.round(y),
        Math.ceil(width),
        LABEL_HEIGHT,
      ]),
    )
  }

  #listen(): void {
    const { signal } = this.#closed
    const on = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      act: (event: HTMLElementEventMap[Name]) => void,
      passive = true,
    ): void => this.#box.addEventListener(name, act, { signal, passive })
    const pointOf = (event: MouseEvent): Point => {
      const { left, top } = this.#box.getBoundingClientRect()
      return { x: event.clientX - left, y: event.clientY - top }
    }
    const pick = (event: MouseEvent): number | undefined =>
      nearest(this.#props().map.places, this.#camera, this.#size, pointOf(event), {
        within: PICK,
        hidden: this.#props().hidden,
      })

    on(
      'wheel',
      (event) => {
        event.preventDefault()
        this.#camera = zoomAt(
          this.#camera,
          this.#size,
          pointOf(event),
          Math.exp(-event.deltaY * 0.0016),
        )
        this.#move()
      },
      false,
    )
    on('pointerdown', (event) => {
      this.#pointers.set(event.pointerId, pointOf(event))
      this.#dragged = 0
      this.#box.setPointerCapture(event.pointerId)
    })
    on('pointermove', (event) => {
      const before = this.#pointers.get(event.pointerId)
      if (!before) {
        if (event.pointerType !== 'touch') this.#hover(pick(event))
        return
      }
      const now = pointOf(event)
      const [other] = [...this.#pointers]
        .filter(([id]) => id !== event.pointerId)
        .map(([, point]) => point)
      if (other) {
        const spread = (point: Point): number => Math.hypot(point.x - other.x, point.y - other.y)
        const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }
        this.#camera = zoomAt(
          this.#camera,
          this.#size,
          middle,
          spread(now) / Math.max(1, spread(before)),
        )
      } else {
        this.#camera = moveBy(this.#camera, now.x - before.x, now.y - before.y)
      }
      this.#dragged += Math.abs(now.x - before.x) + Math.abs(now.y - before.y)
      this.#pointers.set(event.pointerId, now)
      this.#move()
    })
    const end = (event: PointerEvent): void => {
      this.#pointers.delete(event.pointerId)
    }
    on('pointerup', end)
    on('pointercancel', end)
    on('pointerleave', () => this.#hover(undefined))
    on('click', (event) => {
      if (this.#dragged < 5) this.#props().onSelect(pick(event))
    })
    on('dblclick', (event) => {
      const node = pick(event)
      if (node !== undefined) this.#props().onOpen(node)
    })
    on(
      'keydown',
      (event) => {
        const { selected } = this.#props()
        if (event.key !== 'Enter' || selected === undefined) return
        event.preventDefault()
        this.#props().onOpen(selected)
      },
      false,
    )
  }
}

function isDark(): boolean {
  if (theme.value !== 'system') return theme.value === 'dark'
  return matchMedia('(prefers-color-scheme: dark)').matches
}
