import { useEffect, useRef, useSyncExternalStore } from 'react'

const STORED = 'tallystick.shortcuts'
const listeners = new Set<() => void>()
const areOn = () => localStorage.getItem(STORED) !== 'off'

/** Whoever speaks to the browser, or presses keys by mistake, can turn single keys off. */
export function toggleShortcuts(): void {
  localStorage.setItem(STORED, areOn() ? 'off' : 'on')
  for (const listener of listeners) listener()
}

export const useShortcutsOn = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, areOn)

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, dialog, [role=menu]') !== null

/** Single keys of a screen, where nobody is typing and no dialog is open. Names as `event.key` has them. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const current = useRef(keys)
  current.current = keys
  const isOn = useShortcutsOn()
  useEffect(() => {
    if (!isOn) return
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return
      const act = current.current[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [isOn])
}
