import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { Block } from '../../platform/chain/block.ts'
import { boundedAnswers, boundedCall, type Probe, type ProbeAnswer } from '../../platform/chain/bounded-reader.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { callAt, type Dated } from '../../platform/chain/pinned.ts'
import { ChainUnavailableError, type RpcAnswer } from '../../platform/chain/rpc.ts'
import { abis } from '../contracts.ts'
import { byAgents, frozenThere, type LienedWallet, sumOf } from './lien.rules.ts'
import type { Pledge, WatchedAdapter } from './liens.store.ts'
import { grouped, portions } from './lists.rules.ts'

const tokenAbi = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function getFrozenTokens(address account) view returns (uint256)',
  'function frozenBy(address agent, address account) view returns (uint256)',
])
/** With its gas limit, a portion fits what nodes give one call, even if every contract in it burns all it gets. */
const PROBES_PER_CALL = 16
const CALLS_PER_REQUEST = 16
const WORD = 32

const word = (target: Address, data: Hex): Probe => ({ target, data, maxReturn: WORD })
const balanceOf = (token: Address, of: Address) =>
  word(token, encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [of] }))
const frozenOf = (token: Address, of: Address) =>
  word(token, encodeFunctionData({ abi: tokenAbi, functionName: 'getFrozenTokens', args: [of] }))
/** Our own stocks keep a ledger for each agent; other tokens do not answer. */
const frozenBy = (token: Address, agent: Address, of: Address) =>
  word(token, encodeFunctionData({ abi: tokenAbi, functionName: 'frozenBy', args: [agent, of] }))
const lockedOf = (adapter: Address, of: Address) =>
  word(adapter, encodeFunctionData({ abi: abis.freezeAdapter, functionName: 'lockedOf', args: [of] }))
const escrowed = (adapter: Address) =>
  word(adapter, encodeFunctionData({ abi: abis.custodyAdapter, functionName: 'totalEscrowed' }))
/** Answers holder and amount. */
const pledgeOf = (adapter: Address, loanId: string): Probe => ({
  target: adapter,
  data: encodeFunctionData({ abi: abis.custodyAdapter, functionName: 'pledgeOf', args: [BigInt(loanId)] }),
  maxReturn: 2 * WORD,
})

/** A wallet as questions, and how their answers are understood. */
interface Question {
  readonly token: Address
  readonly probes: readonly Probe[]
  understand(answers: readonly (bigint | null)[]): readonly LienedWallet[]
}

function frozenWallet(token: Address, holder: Address, adapters: readonly Address[]): Question {
  return {
    token,
    probes: [
      frozenOf(token, holder),
      balanceOf(token, holder),
      ...adapters.map((adapter) => lockedOf(adapter, holder)),
      ...adapters.map((adapter) => frozenBy(token, adapter, holder)),
    ],
    understand: ([frozen = null, balance = null, ...rest]) => {
      const liens = adapters.map((adapter, index) => ({ adapter, amount: rest[index] ?? null }))
      const own = rest.slice(adapters.length)
      return byAgents({ holder, token, liens, found: frozenThere(frozen, balance) }, own)
    },
  }
}

/** In custody the adapter's own wallet answers for all pledges and for what waits to be claimed. */
function custodyWallet(token: Address, adapter: Address, loanIds: readonly string[]): Question {
  return {
    token,
    probes: [balanceOf(token, adapter), escrowed(adapter), ...loanIds.map((loanId) => pledgeOf(adapter, loanId))],
    understand: ([found = null, ...owed]) => [
      { holder: adapter, token, liens: [{ adapter, amount: sumOf(owed) }], found },
    ],
  }
}

function questionsOf(adapters: readonly WatchedAdapter[], pledges: readonly Pledge[]): Question[] {
  const pledgesOf = grouped(pledges, ({ adapter }) => adapter)
  const custody = adapters.filter(({ mode }) => mode === 'CUSTODY')
  const frozen = adapters.filter(({ mode }) => mode === 'FREEZE')
  const liens = frozen.flatMap(({ adapter, token }) =>
    (pledgesOf.get(adapter) ?? []).map(({ holder }) => ({ adapter, token, holder })),
  )
  const wallets = grouped(liens, ({ token, holder }) => `${token} ${holder}`)
  return [
    ...[...wallets.values()].flatMap((same) => {
      const [first] = same
      return first ? [frozenWallet(first.token, first.holder, [...new Set(same.map(({ adapter }) => adapter))])] : []
    }),
    ...custody.map(({ adapter, token }) =>
      custodyWallet(
        token,
        adapter,
        (pledgesOf.get(adapter) ?? []).map(({ loanId }) => loanId),
      ),
    ),
  ]
}

/** The last word of an answer: of a pledge, the amount. */
function amountOf(answer: ProbeAnswer | undefined, { maxReturn }: Probe): bigint | null {
  if (answer?.outcome !== 'OK' || answer.data.length !== 2 + 2 * maxReturn) return null
  return BigInt(`0x${answer.data.slice(-64)}`)
}

/** A portion that the node did not finish is not known. Portions never mix tokens, so none answers for another's. */
async function answersAt(chain: Chain, block: Block, probes: readonly Probe[][]): Promise<(bigint | null)[][]> {
  const all: (bigint | null)[][] = []
  let finished = 0
  for (const some of portions(probes, CALLS_PER_REQUEST)) {
    const results = await callAt(
      chain.rpc,
      block,
      some.map((portion) => boundedCall(portion)),
      // What was not finished has no height of its own, and is not asked again.
      (answer) => understood(answer) ?? { height: block.number, value: null },
    )
    for (const [index, portion] of some.entries()) {
      const answers = results[index]
      if (answers) finished += 1
      all.push(portion.map((probe, place) => amountOf(answers?.[place], probe)))
    }
  }
  // Not one: then it is the node or the block that is gone, not a token.
  if (probes.length > 0 && finished === 0) throw new ChainUnavailableError('no lien could be read')
  return all
}

function understood(result: RpcAnswer | undefined): Dated<ProbeAnswer[] | null> | null {
  if (!result?.ok) return null
  try {
    return boundedAnswers(result.value as Hex)
  } catch {
    return null
  }
}

/** Every wallet with liens, as contracts answered at one block. */
export async function readLienedWallets(
  chain: Chain,
  block: Block,
  adapters: readonly WatchedAdapter[],
  pledges: readonly Pledge[],
): Promise<LienedWallet[]> {
  const byToken = grouped(questionsOf(adapters, pledges), ({ token }) => token)
  const groups = [...byToken.values()].map((questions) => ({
    questions,
    calls: portions(
      questions.flatMap(({ probes }) => probes),
      PROBES_PER_CALL,
    ),
  }))
  const answers = await answersAt(
    chain,
    block,
    groups.flatMap(({ calls }) => calls),
  )
  return groups.flatMap(({ questions, calls }) => {
    const left = answers.splice(0, calls.length).flat()
    return questions.flatMap(({ probes, understand }) => understand(left.splice(0, probes.length)))
  })
}
