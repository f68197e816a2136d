import {
  type Address,
  type Bound,
  type BuildShape,
  type CallToSign,
  callsOf,
  type Hex,
  type RequestShape,
  reportSent,
} from '@tallystick/sdk'
import { useSyncExternalStore } from 'react'
import type { Approval, BuiltTransaction, TransactionDetail } from '../api/access.ts'
import { tally } from '../api/client.ts'

export interface Simulation {
  readonly simulated: boolean
  readonly success: boolean
  readonly gasUsed: string | null
  readonly revert: { readonly error: string; readonly code: string | null; readonly message: string } | null
}

/** Everything that the drawer has to know about one write, whether it was just built or found again. */
export interface Job {
  /** Names it across windows and reloads; the service gives it to builds of a session. */
  readonly id: string
  readonly transactionId: string | undefined
  readonly title: string
  readonly calls: readonly CallToSign[]
  /** The call whose transaction is reported. */
  readonly reportedAt: number
  readonly simulation: Simulation | undefined
  readonly signer: Address | undefined
  readonly role: string | undefined
  readonly note: string | undefined
  /** What the market takes for it, in words of the service. */
  readonly fee: string | undefined
  /** Where somebody else has to approve it: how far that is, and who built it. */
  readonly approval?: Approval | undefined
  readonly maker?: BuiltTransaction['maker'] | undefined
  readonly report: (hashes: readonly Hex[]) => Promise<unknown>
  /** Called when the drawer is closed after everything was sent: the form behind it is no longer needed. */
  readonly onDone?: (() => void) | undefined
}

interface Extras {
  readonly contractCreation?: boolean
  readonly simulation?: Simulation
  readonly requiredSigner?: Address | null
  readonly signerAddress?: Address | null
  readonly requiredRole?: string | null
  readonly note?: string | null
  readonly transactionFee?: { readonly message: string } | null
}

export interface BuiltJob<S extends BuildShape> {
  readonly title: string
  readonly method: Bound<S>
  readonly request: S['request']
  readonly built: S['built']
  readonly signer: Address | undefined
  readonly transactionId: string | undefined
  readonly onDone?: (() => void) | undefined
}

export function jobOf<S extends BuildShape>({
  title,
  method,
  request,
  built,
  signer,
  transactionId,
  onDone,
}: BuiltJob<S>): Job {
  const { calls, reported } = callsOf(built)
  const extras = built as Extras
  const called = calls.find(({ requiredSigner }) => requiredSigner !== undefined)?.requiredSigner
  return {
    id: transactionId ?? crypto.randomUUID(),
    transactionId,
    title,
    calls,
    reportedAt: reported.at(-1) ?? calls.length - 1,
    simulation: extras.simulation,
    signer: called ?? extras.requiredSigner ?? signer,
    role: extras.requiredRole ?? undefined,
    note: extras.note ?? undefined,
    fee: extras.transactionFee?.message,
    onDone,
    report: (hashes) =>
      extras.contractCreation ? reportCreation(method, request, hashes) : reportSent(method, request, built, hashes),
  }
}

/** A new contract is reported to the operation that built it, where that one takes a hash. */
async function reportCreation<S extends BuildShape>(
  { operation, transport }: Bound<S>,
  request: RequestShape,
  hashes: readonly Hex[],
): Promise<unknown> {
  const field = operation.confirmedBy
  if (field === undefined) return undefined
  const response = await transport.send(operation, { ...request, body: { ...request.body, [field]: hashes.at(-1) } })
  return ((await response.json()) as { data: unknown }).data
}

/** What a build answers that somebody else has to approve. */
export interface AwaitingBuild {
  readonly action: 'AWAIT_APPROVAL'
  readonly transactionId: string
  readonly description: string | null
  readonly simulation: Simulation | null
  readonly approval: Approval
}

export const isAwaiting = (data: unknown): data is AwaitingBuild =>
  (data as { action?: unknown } | null)?.action === 'AWAIT_APPROVAL'

interface WaitingFor {
  readonly title: string
  readonly signer: Address | undefined
  readonly maker: BuiltTransaction['maker']
  readonly onDone?: (() => void) | undefined
}

/** Nothing to sign yet: the drawer waits for the other one. */
export function jobAwaiting(built: AwaitingBuild, { title, signer, maker, onDone }: WaitingFor): Job {
  return {
    id: built.transactionId,
    transactionId: built.transactionId,
    title,
    calls: [],
    reportedAt: 0,
    simulation: built.simulation ?? undefined,
    signer,
    role: undefined,
    note: built.description ?? undefined,
    fee: undefined,
    approval: built.approval,
    maker,
    onDone,
    report: async () => undefined,
  }
}

/** A write that was left half-way, as the service kept it. */
export function jobFound(found: TransactionDetail): Job {
  const { transactionId, summary, path, body } = found
  const calls = found.calls ?? []
  const { transport } = tally.access.getHealth
  const last = calls.length - 1
  return {
    id: transactionId,
    transactionId,
    title: summary,
    calls: calls.map(({ to, data, chainId }) => ({
      ...{ to, data: data as Hex, chainId, gas: undefined, requiredSigner: undefined, step: {} },
      // Said by the decoded call.
      description: undefined,
    })),
    reportedAt: last,
    ...{ simulation: undefined, signer: undefined, role: undefined, note: undefined, fee: undefined },
    approval: found.approval ?? undefined,
    maker: found.maker,
    async report(hashes) {
      const operation = { id: found.operation, method: 'POST', path }
      const response = await transport.sendTo(path, operation, { ...(body as object), txHash: hashes[last] })
      return ((await response.json()) as { data: unknown }).data
    },
  }
}

/** Hashes outlive the page: what was signed is never signed again because somebody left. */
const keyOf = (id: string) => `tallystick.sent.${id}`

export function sentHashes(id: string): readonly Hex[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(id)) ?? '[]')
    return Array.isArray(kept) ? (kept as Hex[]) : []
  } catch {
    return []
  }
}

export const keepHashes = (id: string, hashes: readonly Hex[]) =>
  localStorage.setItem(keyOf(id), JSON.stringify(hashes))
export const forgetHashes = (id: string) => localStorage.removeItem(keyOf(id))

let current: Job | undefined
const listeners = new Set<() => void>()

export function openJob(job: Job | undefined): void {
  current = job
  for (const listener of listeners) listener()
}

export const useJob = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
