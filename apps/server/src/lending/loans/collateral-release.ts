import { type Address, encodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { ReceiptLog } from '../../platform/chain/call-pair.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { RpcFault } from '../../platform/chain/rpc.ts'
import type { Market } from '../core/index.rules.ts'
import { eventsOf } from '../core/index.ts'
import { explainLending } from '../reverts/index.ts'

/** What the adapter gives a token for one transfer, and what a call costs before it starts. */
const TRANSFER_GAS = 800_000n + 25_000n

export const CLAIM_ACTION = 'claim-escrowed-collateral' as const

/** The call itself failed; anything else is a node that could not tell. */
const isRefusal = ({ data, message }: RpcFault) => data !== undefined || /revert|out of ?gas|opcode/i.test(message)

/** A token that answers nothing has moved it; any other answer than `true` is a refusal. */
const isAccepted = (returned: Hex) =>
  returned === '0x' || (returned.length >= 66 && BigInt(returned.slice(0, 66)) === 1n)

interface Verdict {
  readonly willEscrow: boolean | null
  readonly code: string | null
  readonly reason: string | null
  readonly message: string | null
}

const unknown: Verdict = { willEscrow: null, code: null, reason: null, message: null }

/** What the token says if the adapter sends a holder collateral now. */
async function verdictOf(chain: Chain, market: Market, holder: Address, amount: bigint): Promise<Verdict> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [holder, amount] })
  const call = { from: market.adapter, to: market.collateralToken, data, gas: numberToHex(TRANSFER_GAS) }
  const [answer] = await chain.rpc.batch([{ method: 'eth_call', params: [call, 'latest'] }])
  if (!answer || (!answer.ok && !isRefusal(answer.fault))) return unknown
  if (answer.ok)
    return isAccepted(answer.value as Hex)
      ? { ...unknown, willEscrow: false }
      : {
          willEscrow: true,
          code: null,
          reason: null,
          message: 'The collateral token answers that it did not transfer.',
        }
  const { error, code, message } = explainLending((answer.fault.data as Hex | undefined) ?? '0x')
  return { willEscrow: true, code, reason: error, message }
}

/**
 * Where collateral goes that a call would release. Null: nothing is released, or it never left the holder's wallet. A token that
 * refuses its holder stops nothing: the adapter keeps the collateral until the holder claims it.
 */
export async function forecastRelease(
  chain: Chain,
  { marketId, market }: { readonly marketId: string; readonly market: Market },
  holder: Address,
  amount: bigint,
) {
  if (market.mode !== 'CUSTODY' || amount === 0n) return null
  const verdict = await verdictOf(chain, market, holder, amount)
  return {
    ...verdict,
    verdictUnreadable: verdict.willEscrow === null,
    holder: holder.toLowerCase(),
    amount: formatUnits(amount, market.collateralDecimals),
    adapterAddress: market.adapter,
    marketId,
    claimAction: verdict.willEscrow ? CLAIM_ACTION : null,
  }
}

/** Did the adapter keep what it released for a loan in this transaction? An escrow follows its release at once. */
export function wasEscrowed({ adapter }: Market, loanId: string, logs: readonly ReceiptLog[]): boolean {
  const told = eventsOf('custodyAdapter', adapter, logs)
  return told.some(
    ({ name, effect }, index) =>
      (name === 'Released' || name === 'Decreased') &&
      effect.loanId === loanId &&
      told[index + 1]?.name === 'CollateralEscrowed',
  )
}
