import { type Address, type Hex, hexToBigInt, numberToHex } from 'viem'
import type { Clock } from '../clock.ts'
import { asBlock, getBlock } from './block.ts'
import type { Chain } from './chain.ts'
import type { ExplainRevert, Revert } from './reverts.ts'
import { ChainUnavailableError } from './rpc.ts'

export interface UnsignedCall {
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
}

/** What would happen if the calls were sent now, in order. Never a reason to refuse a build. */
export interface Simulation {
  /** False: the node could not simulate, and nothing below is known. */
  readonly simulated: boolean
  readonly success: boolean
  readonly gasUsed: bigint | null
  readonly revert: Revert | null
}

const unknown: Simulation = { simulated: false, success: false, gasUsed: null, revert: null }

interface SimulatedCall {
  status: Hex
  gasUsed: Hex
  returnData: Hex
  error?: { message?: string; data?: Hex }
}

function asTransaction(from: Address | null, call: UnsignedCall) {
  return { ...(from ? { from } : {}), to: call.to, data: call.data, value: numberToHex(call.value) }
}

/**
 * The fallback where a node has no `eth_simulateV1`: one estimate per call, each on today's state. A later call that fails there
 * may only miss what the earlier ones would have done, so nothing is claimed about it.
 */
async function estimate(
  chain: Chain,
  from: Address | null,
  calls: readonly UnsignedCall[],
  explain: ExplainRevert,
): Promise<Simulation> {
  const answers = await chain.rpc.batch(
    calls.map((call) => ({ method: 'eth_estimateGas', params: [asTransaction(from, call)] })),
  )
  let gasUsed = 0n
  for (const [index, answer] of answers.entries()) {
    if (answer.ok) gasUsed += hexToBigInt(answer.value as Hex)
    else if (index > 0) return unknown
    else if (answer.fault.data !== undefined || /revert/i.test(answer.fault.message))
      return {
        simulated: true,
        success: false,
        gasUsed: null,
        revert: explain((answer.fault.data as Hex | undefined) ?? '0x'),
      }
    else return unknown
  }
  return { simulated: true, success: true, gasUsed, revert: null }
}

/** Null: the node, which has just answered, took longer over the simulation than is waited for. No build fails for that. */
async function unlessLate<Answers>(asked: Promise<Answers>): Promise<Answers | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ChainUnavailableError) return null
    throw error
  }
}

export async function simulate(
  chain: Chain,
  from: Address | null,
  calls: readonly UnsignedCall[],
  options: { clock: Clock; explain: ExplainRevert },
): Promise<Simulation> {
  const [head] = await chain.rpc.batch([getBlock('latest')])
  const latest = asBlock(head)
  if (!latest) return unknown
  const time = Math.max(Math.floor(options.clock.now().getTime() / 1000), latest.time + 1)
  const answers = await unlessLate(
    chain.rpc.batch([
      {
        method: 'eth_simulateV1',
        params: [
          {
            blockStateCalls: [
              { blockOverrides: { time: numberToHex(time) }, calls: calls.map((call) => asTransaction(from, call)) },
            ],
            validation: false,
          },
          'latest',
        ],
      },
    ]),
  )
  if (!answers) return unknown
  const [answer] = answers
  if (!answer?.ok) return estimate(chain, from, calls, options.explain)
  const [block] = answer.value as { calls: SimulatedCall[] }[]
  let gasUsed = 0n
  for (const call of block?.calls ?? []) {
    gasUsed += hexToBigInt(call.gasUsed)
    if (hexToBigInt(call.status) !== 1n) {
      const data = call.error?.data ?? call.returnData
      return { simulated: true, success: false, gasUsed, revert: options.explain(data ?? '0x') }
    }
  }
  return { simulated: true, success: true, gasUsed, revert: null }
}
