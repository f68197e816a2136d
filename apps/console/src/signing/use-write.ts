import {
  type Address,
  type Answered,
  type Bound,
  type BuildShape,
  TallyConnectionError,
  TallyError,
} from '@tallystick/sdk'
import { useRef, useState } from 'react'
import { transactionOf } from '../api/client.ts'
import { useSignedIn } from '../api/session.ts'
import { messageOf } from '../ui/loading.tsx'
import { isAwaiting, jobAwaiting, jobOf, openJob } from './job.ts'

interface Options {
  readonly title: string
  /** Who signs, where the answer does not say so itself. */
  readonly signer?: Address | undefined
  /** The field that a code is about. */
  readonly fields?: Readonly<Record<string, string>>
  /** When the write is on its way and the drawer is closed. */
  readonly onDone?: () => void
  /** Where nothing is reported to the service: waits until the chain says that it is done. */
  readonly proven?: () => Promise<unknown>
}

interface FieldFault {
  readonly field: string
  readonly message: string
}

const detailsOf = (error: TallyError): readonly FieldFault[] =>
  Array.isArray(error.extra.details) ? (error.extra.details as FieldFault[]) : []

/** Which field says what; the empty name is the form as a whole. */
function faultsOf(error: unknown, fields: Readonly<Record<string, string>>): Record<string, string> {
  if (!(error instanceof TallyError)) return { '': messageOf(error) }
  const known = fields[error.code]
  if (known !== undefined) return { [known]: messageOf(error) }
  const details = detailsOf(error).map(({ field, message }) => [field.replace(/^\/?(body\/)?/, ''), message] as const)
  return details.length > 0 ? Object.fromEntries(details) : { '': messageOf(error) }
}

/**
 * Has a write built and opens the drawer with it. What was typed stays in the form, whatever happens. The same request keeps its key until
 * the service has answered: a repeat after a broken connection is not a second one.
 */
export function useWrite<S extends BuildShape>(
  method: Bound<S>,
  { title, signer, fields = {}, onDone, proven }: Options,
) {
  const [isBuilding, setBuilding] = useState(false)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const { user, name } = useSignedIn()
  const maker = { name, userId: user?.userId ?? null }
  const busy = useRef(false)
  const key = useRef<{ request: string; key: string } | undefined>(undefined)

  async function start(request: S['request']): Promise<void> {
    if (busy.current) return
    busy.current = true
    setBuilding(true)
    const asked = JSON.stringify(request)
    if (key.current?.request !== asked) key.current = { request: asked, key: crypto.randomUUID() }
    const idempotencyKey = key.current.key
    try {
      const response = await method.transport.send(method.operation, request, { idempotencyKey })
      const { data } = (await response.json()) as Answered<S['built']>
      setFaults({})
      if (isAwaiting(data)) openJob(jobAwaiting(data, { title, signer, maker, onDone }))
      else {
        const transactionId = transactionOf(idempotencyKey)
        const job = jobOf({ title, method, request, built: data, signer, transactionId, onDone })
        openJob(proven ? { ...job, report: proven } : job)
      }
      key.current = undefined
    } catch (error) {
      if (!(error instanceof TallyConnectionError)) key.current = undefined
      setFaults(faultsOf(error, fields))
    } finally {
      busy.current = false
      setBuilding(false)
    }
  }

  return { start, isBuilding, faults, clear: () => setFaults({}) }
}
