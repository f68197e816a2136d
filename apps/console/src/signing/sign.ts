import type { Hex } from '@tallystick/sdk'
import { demoSend, getTransaction, reportHash } from '../api/access.ts'
import { isCode } from '../api/client.ts'
import { type Connection, isMined, sendWithWallet } from '../api/wallets.ts'
import { t } from '../texts/index.ts'
import { type Job, keepHashes, sentHashes } from './job.ts'

export type Way = { readonly kind: 'demo' } | { readonly kind: 'wallet'; readonly connection: Connection }

const POLL_MS = 700

async function minedBy(connection: Connection, hash: Hex): Promise<void> {
  while (!(await isMined(connection, hash))) await new Promise((resolve) => setTimeout(resolve, POLL_MS))
}

/** The service keeps the hash too, so that another browser finds it. One that was reported before is no fault. */
export async function announce(job: Job, hash: Hex): Promise<void> {
  if (job.transactionId === undefined) return
  try {
    await reportHash(job.transactionId, hash)
  } catch (error) {
    if (!isCode(error, 'TRANSACTION_NOT_FOUND', 'NOT_WAITING', 'ALREADY_SENT')) throw error
  }
}

/** What is kept here, or what another window or browser sent meanwhile, whose hashes may be forgotten here by now. */
async function sentBefore(job: Job): Promise<readonly Hex[]> {
  const kept = sentHashes(job.id)
  if (kept.length > 0 || job.transactionId === undefined) return kept
  const { txHash } = await getTransaction(job.transactionId)
  return txHash ? job.calls.map(() => txHash as Hex) : []
}

async function sendAll(job: Job, way: Way, onSent: (hashes: readonly Hex[]) => void): Promise<readonly Hex[]> {
  let hashes = [...(await sentBefore(job))]
  for (const [at, call] of job.calls.entries()) {
    if (at < hashes.length) continue
    const previous = hashes.at(-1)
    if (way.kind === 'wallet' && previous) await minedBy(way.connection, previous)
    const hash = way.kind === 'demo' ? (await demoSend([call])).hashes[0] : await sendWithWallet(way.connection, call)
    if (hash === undefined) throw new Error('the wallet gave no hash')
    hashes = [...hashes, hash]
    keepHashes(job.id, hashes)
    onSent(hashes)
    if (at === job.reportedAt) await announce(job, hash).catch(() => {})
  }
  return hashes
}

/** One window at a time, and never what was sent before. */
export async function signJob(job: Job, way: Way, onSent: (hashes: readonly Hex[]) => void): Promise<readonly Hex[]> {
  return navigator.locks.request(`tallystick.sign.${job.id}`, { ifAvailable: true }, async (lock) => {
    if (!lock) throw new Error(t.signing.elsewhere)
    return sendAll(job, way, onSent)
  })
}

/** EIP-1193: the person said no. */
export const isRejection = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && (error as { code: unknown }).code === 4001
