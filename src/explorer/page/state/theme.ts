/** Light, dark, or as the system likes it. */
import { signal } from '@preact/signals'
import { IN_CHAT } from '../chat/in-chat.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'cairn-theme'

export const theme = signal<Theme>(stored())

function stored(): Theme {
  // A chat says itself how it looks, and lets nothing be kept.
  if (IN_CHAT) return 'system'
  try {
    return THEMES.find((each) => each === localStorage.getItem(KEY)) ?? 'system'
  } catch {
    return 'system'
  }
}

export function setTheme(next: Theme): void {
  theme.value = next
  applyTheme()
  if (IN_CHAT) return
  try {
    localStorage.setItem(KEY, next)
  } catch {
    // Where nothing may be kept, the choice lasts as long as the page.
  }
}

export function nextTheme(): Theme {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!
  setTheme(next)
  return next
}

export function applyTheme(): void {
  if (theme.value === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme.value
}
