import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark'

const KEY = 'tallystick.theme'
const listeners = new Set<() => void>()
const wished = () => localStorage.getItem(KEY)

function current(): Theme {
  const stored = wished()
  if (stored === 'light' || stored === 'dark') return stored
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = current()
  for (const listener of listeners) listener()
}

export function toggleTheme(): void {
  localStorage.setItem(KEY, current() === 'dark' ? 'light' : 'dark')
  applyTheme()
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme)

export const useTheme = (): Theme =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, current)
