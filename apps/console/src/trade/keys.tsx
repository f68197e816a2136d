import type { ReactNode } from 'react'
import { t } from '../texts/index.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { toggleShortcuts, useShortcutsOn } from './use-keys.ts'

const text = t.trade.keys

const Key = ({ children }: { children: ReactNode }) => (
  <kbd className="inline-block min-w-6 rounded border border-strong bg-raised px-1.5 text-center font-mono text-xs">
    {children}
  </kbd>
)

const ALL: readonly (readonly [readonly string[], string])[] = [
  [['B'], text.buy],
  [['S'], text.sell],
  [['L'], text.limit],
  [['M'], text.market],
  [['P'], text.price],
  [['Q'], text.quantity],
  [['Enter'], text.place],
  [['↑', '↓'], text.step],
  [['J', 'K'], text.choose],
  [['C'], text.cancel],
  [['Shift C'], text.cancelAll],
  [['E'], text.amend],
  [['F'], text.flatten],
  [['[', ']'], text.resolution],
  [['?'], text.help],
]

/** Those that are pressed most, where they can be seen. */
export function KeyStrip({ onHelp }: { onHelp: () => void }) {
  const isOn = useShortcutsOn()
  const shown = ALL.filter(([keys]) => ['B', 'S', 'Q', 'C', 'E', 'F'].includes(keys[0] ?? ''))
  return (
    <div className="no-print mt-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-muted max-md:hidden">
      {isOn
        ? shown.map(([keys, what]) => (
            <span key={what}>
              <Key>{keys[0]}</Key> {what}
            </span>
          ))
        : null}
      <Button small look="quiet" onClick={onHelp}>
        <Key>?</Key> {text.title}
      </Button>
    </div>
  )
}

export function KeysHelp({ onClose }: { onClose: () => void }) {
  const isOn = useShortcutsOn()
  return (
    <Dialog title={text.title} onClose={onClose}>
      <div className="space-y-3 p-5">
        <p className="text-sm text-muted">{text.about}</p>
        <dl className="divide-y divide-line text-sm">
          {ALL.map(([keys, what]) => (
            <div key={what} className="flex min-h-8 items-center justify-between gap-4">
              <dt>{what}</dt>
              <dd className="flex gap-1">
                {keys.map((key) => (
                  <Key key={key}>{key}</Key>
                ))}
              </dd>
            </div>
          ))}
        </dl>
        <label className="flex items-center gap-2 text-sm">
          <input type="checkbox" checked={isOn} onChange={toggleShortcuts} />
          {isOn ? text.on : text.off}
        </label>
      </div>
    </Dialog>
  )
}
