import { TallyConnectionError, TallyError } from '@tallystick/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { t } from '../texts/index.ts'
import { Badge, Notice } from './badge.tsx'
import { Button } from './button.tsx'

/** What went wrong, in the words of the service. */
export function messageOf(error: unknown): string {
  if (error instanceof TallyError) return error.message.replace(/^\w+: \w+: /, '')
  if (error instanceof TallyConnectionError) return t.faults.connection
  return error instanceof Error ? error.message : String(error)
}

export function Fault({ error, again }: { error: unknown; again?: () => void }) {
  const known = error instanceof TallyError ? error : undefined
  return (
    <Notice tone="bad">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span>
          {messageOf(error)} {known ? <span className="font-mono text-xs">{known.code}</span> : null}
          {known?.requestId ? <span className="text-xs"> · {known.requestId}</span> : null}
        </span>
        {again ? (
          <Button small onClick={again}>
            {t.again}
          </Button>
        ) : null}
      </div>
    </Notice>
  )
}

/** Room for what is coming: nothing jumps when it is there. */
export const Waiting = ({ rows = 3 }: { rows?: number }) => (
  <div role="status" className="space-y-2 p-4">
    <span className="sr-only">{t.loading}</span>
    {Array.from({ length: rows }, (_, at) => `row-${at}`).map((key) => (
      <div key={key} className="h-5 rounded bg-raised" />
    ))}
  </div>
)

/** Shows what a query answers; keeps the last answer on screen while the service is away, and says so. */
export function Loaded<Data>({
  query,
  rows,
  children,
}: {
  query: UseQueryResult<Data>
  rows?: number
  children: (data: Data) => ReactNode
}) {
  if (query.data === undefined)
    return query.error ? (
      <div className="p-4">
        <Fault error={query.error} again={() => void query.refetch()} />
      </div>
    ) : (
      <Waiting rows={rows ?? 3} />
    )
  return (
    <>
      {query.error ? (
        <div className="p-2">
          <Badge tone="warn">{t.faults.old}</Badge>
        </div>
      ) : null}
      {children(query.data)}
    </>
  )
}
