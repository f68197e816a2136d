import type { ReactNode } from 'react'

export function Panel({
  title,
  aside,
  children,
  flush = false,
}: {
  title?: ReactNode
  aside?: ReactNode
  children: ReactNode
  flush?: boolean
}) {
  return (
    <section className="min-w-0 rounded-lg border border-line bg-panel">
      {title === undefined ? null : (
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-2">
          <h2 className="text-sm font-medium">{title}</h2>
          <div className="flex flex-wrap items-center gap-2">{aside}</div>
        </div>
      )}
      <div className={flush ? '' : 'p-4'}>{children}</div>
    </section>
  )
}

/** Figures in a row, each with its name above it. */
export function Stats({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-[repeat(auto-fit,minmax(10rem,1fr))]">
      {children}
    </dl>
  )
}

export function Stat({ name, children, note }: { name: string; children: ReactNode; note?: ReactNode }) {
  return (
    <div className="bg-panel px-4 py-3">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="mt-1 text-lg font-medium">{children}</dd>
      {note === undefined ? null : <dd className="text-xs text-muted">{note}</dd>}
    </div>
  )
}

/** Names on the left, values on the right. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line text-sm">{children}</dl>
}

export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-9 items-center justify-between gap-4 py-1.5">
      <dt className="text-muted">{name}</dt>
      <dd className="text-right">{children}</dd>
    </div>
  )
}

export function PageHead({
  title,
  about,
  aside,
  back,
}: {
  title: ReactNode
  about?: ReactNode
  aside?: ReactNode
  back?: ReactNode
}) {
  return (
    <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
      <div className="min-w-0">
        {back}
        <h1 className="text-2xl font-medium tracking-tight">{title}</h1>
        {about === undefined ? null : <div className="mt-0.5 text-sm text-muted">{about}</div>}
      </div>
      <div className="flex flex-wrap items-center gap-2">{aside}</div>
    </div>
  )
}

/** Nothing is here, and what to do about it. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="px-6 py-10 text-center">
      <p className="text-base font-medium">{title}</p>
      {children === undefined ? null : <p className="mx-auto mt-1 max-w-md text-sm text-muted">{children}</p>}
      {action === undefined ? null : <div className="mt-4 flex justify-center gap-2">{action}</div>}
    </div>
  )
}
