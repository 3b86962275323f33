/**
 * Loaded before a program (`--import other-clock.ts?ahead=3600000`), so that it takes another time of
 * day for right. Everything that is measured by a clock that only runs stays as it is.
 */
const aheadMs = Number(new URL(import.meta.url).searchParams.get('ahead'))
const RightDate = Date

class OtherDate extends RightDate {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(OtherDate.now())
    else super(...given)
  }

  static override now(): number {
    return RightDate.now() + aheadMs
  }
}

globalThis.Date = OtherDate as DateConstructor
