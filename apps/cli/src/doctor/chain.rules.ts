import { type Advice, orWell, warning, wrong } from './advice.rules.ts'

/** What one node answered. */
export interface NodeFacts {
  /** Without what may be a secret: host and port. */
  readonly host: string
  /** Null: it did not answer, and `fault` says why. */
  readonly chainId: number | null
  readonly fault: string | null
  readonly head: { readonly number: bigint; readonly time: number } | null
  readonly hasFinalityTags: boolean
}

export interface CursorFacts {
  readonly blockNumber: bigint
  readonly movedAt: Date
}

const OLD_HEAD_SECONDS = 600
const MOST_AHEAD_SECONDS = 30
const MOST_BLOCKS_BEHIND = 50n
const MOST_PAUSE_MS = 60_000

function adviseOnNode(node: NodeFacts, promised: number | undefined, now: number, confirmations: number): Advice[] {
  const about = promised === undefined ? 'chain' : `chain ${promised}`
  const { host, chainId, fault, head } = node
  if (chainId === null)
    return [
      wrong(
        about,
        `The node at ${host} does not answer: ${fault}.`,
        'Check RPC_URL, the network, and the key of your provider.',
      ),
    ]
  if (promised !== undefined && chainId !== promised)
    return [
      wrong(
        about,
        `RPC_URL promises chain ${promised}, but ${host} serves ${chainId}.`,
        'Correct the chain id or the URL.',
      ),
    ]
  if (!head) return [wrong(about, `The node at ${host} has no block.`, 'Wait until it is in step, or use another.')]
  const age = now - head.time
  const found: Advice[] = []
  if (age < -MOST_AHEAD_SECONDS)
    found.push(
      wrong(
        'clock',
        `The newest block of ${host} is ${-age} s ahead of the clock here.`,
        'Set the clock of this machine.',
      ),
    )
  if (age > OLD_HEAD_SECONDS)
    found.push(
      warning(
        about,
        `The newest block of ${host} is ${Math.round(age / 60)} minutes old.`,
        'Check whether the node is in step.',
      ),
    )
  if (!node.hasFinalityTags)
    found.push(
      warning(
        about,
        `The node at ${host} knows no safe and finalized blocks: facts are final after CONFIRMATIONS=${confirmations} blocks.`,
        'Make sure that no reorganization of this chain goes deeper.',
      ),
    )
  return found
}

/** The nodes of one chain. */
export function adviseOnChain(
  nodes: readonly NodeFacts[],
  around: {
    readonly promised: number | undefined
    readonly now: Date
    readonly confirmations: number
    readonly isEmbedded: boolean
  },
): readonly Advice[] {
  const now = Math.floor(around.now.getTime() / 1000)
  // Time on the embedded chain may be travelled in.
  const found = nodes
    .flatMap((node) => adviseOnNode(node, around.promised, now, around.confirmations))
    .filter(({ about, state }) => !around.isEmbedded || (about !== 'clock' && state === 'wrong'))
  const ids = [...new Set(nodes.flatMap(({ chainId }) => chainId ?? []))]
  const about = `chain ${around.promised ?? ids[0] ?? ''}`.trim()
  if (ids.length > 1)
    found.push(wrong(about, `Its nodes serve different chains: ${ids.join(', ')}.`, 'Correct RPC_URL.'))
  if (nodes.length === 1 && !around.isEmbedded)
    found.push(warning(about, 'There is one node, and no other to turn to.', 'Add a second URL to RPC_URL.'))
  const heads = nodes.map(({ host, head }) => `${host} at block ${head?.number}`)
  return orWell(found, about, `${heads.join(', ')}, with safe and finalized blocks.`)
}

/** How far the worker is behind a chain. */
export function adviseOnWorker(
  chainId: number,
  head: bigint,
  cursor: CursorFacts | undefined,
  now: Date,
): readonly Advice[] {
  const about = 'worker'
  const start = 'Start a worker, and look at its log.'
  if (!cursor)
    return [warning(about, `No worker has ever followed chain ${chainId}.`, 'Start one: npm run start:worker.')]
  const behind = head - cursor.blockNumber
  const pause = now.getTime() - cursor.movedAt.getTime()
  if (pause > MOST_PAUSE_MS && behind > 0n)
    return [
      wrong(
        about,
        `Nobody has followed chain ${chainId} for ${Math.round(pause / 1000)} s; it is ${behind} blocks ahead.`,
        start,
      ),
    ]
  if (behind > MOST_BLOCKS_BEHIND)
    return [wrong(about, `The worker is ${behind} blocks behind chain ${chainId}.`, start)]
  return orWell([], about, `Chain ${chainId} is followed up to ${behind < 0n ? 0n : behind} blocks behind its head.`)
}
