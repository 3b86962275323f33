/**
 * A day and a time in the tokens of moment.js, which is how editors of notes write down their formats:
 * `YYYY-MM-DD`, `dddd [the] Do`. English names, and weeks as moment counts them in English.
 */
const TOKEN =
  /\[([^\]\n]*)\]|YYYY|YY|GGGG|GG|gggg|gg|MMMM|MMM|MM|Mo|M|DDDD|DDD|DD|Do|D|dddd|ddd|dd|do|d|E|e|WW|Wo|W|ww|wo|w|Qo|Q|HH|H|hh|h|kk|k|mm|m|ss|s|SSS|SS|S|A|a|ZZ|Z|X|x/g

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** In the time zone of this machine. */
export function formatMoment(date: Date, format: string): string {
  const hour = date.getHours()
  const day = date.getDay()
  const month = date.getMonth()
  const [twelve, quarter] = [hour % 12 || 12, Math.floor(month / 3) + 1]
  const dayOfYear = Math.round((noon(date) - noon(new Date(date.getFullYear(), 0, 1))) / DAY_MS) + 1
  const values: Readonly<Record<string, () => string | number>> = {
    YYYY: () => padded(date.getFullYear(), 4),
    YY: () => padded(date.getFullYear() % 100, 2),
    M: () => month + 1,
    MM: () => padded(month + 1, 2),
    MMM: () => MONTHS[month]!.slice(0, 3),
    MMMM: () => MONTHS[month]!,
    Mo: () => ordinal(month + 1),
    D: () => date.getDate(),
    DD: () => padded(date.getDate(), 2),
    Do: () => ordinal(date.getDate()),
    DDD: () => dayOfYear,
    DDDD: () => padded(dayOfYear, 3),
    d: () => day,
    do: () => ordinal(day),
    dd: () => DAYS[day]!.slice(0, 2),
    ddd: () => DAYS[day]!.slice(0, 3),
    dddd: () => DAYS[day]!,
    E: () => day || 7,
    e: () => day,
    W: () => isoWeek(date).week,
    Wo: () => ordinal(isoWeek(date).week),
    WW: () => padded(isoWeek(date).week, 2),
    GGGG: () => padded(isoWeek(date).year, 4),
    GG: () => padded(isoWeek(date).year % 100, 2),
    w: () => weekFromSunday(date).week,
    wo: () => ordinal(weekFromSunday(date).week),
    ww: () => padded(weekFromSunday(date).week, 2),
    gggg: () => padded(weekFromSunday(date).year, 4),
    gg: () => padded(weekFromSunday(date).year % 100, 2),
    Q: () => quarter,
    Qo: () => ordinal(quarter),
    H: () => hour,
    HH: () => padded(hour, 2),
    h: () => twelve,
    hh: () => padded(twelve, 2),
    k: () => hour || 24,
    kk: () => padded(hour || 24, 2),
    m: () => date.getMinutes(),
    mm: () => padded(date.getMinutes(), 2),
    s: () => date.getSeconds(),
    ss: () => padded(date.getSeconds(), 2),
    S: () => Math.floor(date.getMilliseconds() / 100),
    SS: () => padded(Math.floor(date.getMilliseconds() / 10), 2),
    SSS: () => padded(date.getMilliseconds(), 3),
    A: () => (hour < 12 ? 'AM' : 'PM'),
    a: () => (hour < 12 ? 'am' : 'pm'),
    Z: () => offset(date, ':'),
    ZZ: () => offset(date, ''),
    X: () => Math.floor(date.getTime() / 1_000),
    x: () => date.getTime(),
  }
  return format.replace(TOKEN, (token, literal?: string) =>
    literal === undefined ? String(values[token]!()) : literal,
  )
}

const DAY_MS = 86_400_000

/** The middle of a day, of which there is one on every day. */
function noon(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate(), 12)
}

function padded(value: number, length: number): string {
  return String(value).padStart(length, '0')
}

function ordinal(value: number): string {
  const [tens, ones] = [value % 100, value % 10]
  if (tens > 10 && tens < 14) return `${value}th`
  return `${value}${ones === 1 ? 'st' : ones === 2 ? 'nd' : ones === 3 ? 'rd' : 'th'}`
}

/** The week belongs to the year of its Thursday (ISO 8601). */
function isoWeek(date: Date): { readonly year: number; readonly week: number } {
  return weekOf(noon(date) + (4 - (date.getDay() || 7)) * DAY_MS)
}

/** Weeks begin on Sunday, and the first holds the first of January: it belongs to the year of its Saturday. */
function weekFromSunday(date: Date): { readonly year: number; readonly week: number } {
  return weekOf(noon(date) + (6 - date.getDay()) * DAY_MS)
}

/** The week of the year that a day of it decides. */
function weekOf(deciding: number): { readonly year: number; readonly week: number } {
  const year = new Date(deciding).getUTCFullYear()
  const first = Date.UTC(year, 0, 1, 12)
  return { year, week: Math.floor((deciding - first) / DAY_MS / 7) + 1 }
}

function offset(date: Date, separator: string): string {
  const minutes = -date.getTimezoneOffset()
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${padded(Math.floor(size / 60), 2)}${separator}${padded(size % 60, 2)}`
}
