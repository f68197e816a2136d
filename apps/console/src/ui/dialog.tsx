import { type ReactNode, useEffect, useRef } from 'react'
import { t } from '../texts/index.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

/** The browser's own: it keeps the focus inside, Escape closes it, and the focus goes back to where it was. */
export function Dialog({
  title,
  onClose,
  children,
  side = false,
  about,
}: {
  title: string
  about?: ReactNode
  onClose: () => void
  children: ReactNode
  side?: boolean
}) {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={element}
      aria-label={title}
      onClose={onClose}
      onCancel={onClose}
      className={side ? 'drawer' : 'm-auto w-[min(30rem,calc(100vw-2rem))] rounded-lg border border-line bg-panel'}
    >
      <div className={side ? 'flex h-full flex-col' : ''}>
        <div className="flex items-start justify-between gap-3 border-b border-line px-5 py-3.5">
          <div className="min-w-0">
            {about ? <p className="text-xs text-muted">{about}</p> : null}
            <h2 className="text-lg font-medium">{title}</h2>
          </div>
          <Button look="quiet" small aria-label={t.close} onClick={onClose}>
            <Icon name="cross" />
          </Button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
