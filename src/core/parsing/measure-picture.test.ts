import { expect, it } from 'vitest'
import { drawPng } from '../../../test/support/draw-png.ts'
import { measurePicture } from './measure-picture.ts'

const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
    ),
  )
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0)

it.each([
  ['PNG', drawPng(640, 480), { type: 'image/png', width: 640, height: 480 }],
  ['GIF', bytes('GIF89a', [16, 1, 8, 0]), { type: 'image/gif', width: 272, height: 8 }],
  [
    'JPEG behind other markers',
    bytes('\xff\xd8\xff\xe0', [0, 4, 1, 1], '\xff\xff\xc2', [0, 11, 8, 0, 20, 0, 30, 3, 0]),
    { type: 'image/jpeg', width: 30, height: 20 },
  ],
  ['JPEG that ends early', bytes('\xff\xd8\xff\xe0', [0, 4]), { type: 'image/jpeg' }],
  [
    'WebP with loss',
    bytes('RIFF', zeros(4), 'WEBPVP8 ', zeros(10), [40, 0, 50, 0]),
    { type: 'image/webp', width: 40, height: 50 },
  ],
  [
    'WebP without',
    bytes('RIFF', zeros(4), 'WEBPVP8L', zeros(5), [99, 64, 2, 0], zeros(6)),
    { type: 'image/webp', width: 100, height: 10 },
  ],
  [
    'WebP with more',
    bytes('RIFF', zeros(4), 'WEBPVP8X', zeros(8), [99, 0, 0, 9, 0, 0]),
    { type: 'image/webp', width: 100, height: 10 },
  ],
  [
    'bitmap from the top',
    bytes('BM', zeros(16), [7, 0, 0, 0, 248, 255, 255, 255], zeros(4)),
    { type: 'image/bmp', width: 7, height: 8 },
  ],
  [
    'AVIF',
    bytes(zeros(4), 'ftypavif', zeros(20), 'ispe', zeros(4), [0, 0, 1, 0, 0, 0, 0, 9]),
    { type: 'image/avif', width: 256, height: 9 },
  ],
  [
    'drawing',
    bytes('<?xml version="1.0"?><svg xmlns="x" width="12px" height=\'8\'>'),
    { type: 'image/svg+xml', width: 12, height: 8 },
  ],
  [
    'drawing that says how much it shows',
    bytes('<svg width="100%" viewBox="0 0 24 12.4"></svg>'),
    { type: 'image/svg+xml', width: 24, height: 12 },
  ],
  ['text', bytes('AKIA and other secrets'), undefined],
  ['nothing', bytes(''), undefined],
  ['half a PNG', bytes('\x89PNG\r\n\x1a\n'), { type: 'image/png' }],
])('%s', (_, picture, measure) => {
  expect(measurePicture(picture)).toEqual(measure)
})

it('reads no further than there are bytes', () => {
  const whole = [
    drawPng(9, 9),
    bytes('\xff\xd8\xff\xc0', [0, 9, 8, 0, 2, 0, 3, 1]),
    bytes('RIFF', zeros(4), 'WEBPVP8X', zeros(14)),
  ]
  for (const each of whole) {
    for (let length = 0; length <= each.length; length++) measurePicture(each.subarray(0, length))
  }
})
