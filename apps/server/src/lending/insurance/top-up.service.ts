import type { BodyOf, lendingOperations } from '@tallystick/wire'
import type { Address, Hex } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { candidate } from '../../writes/index.ts'
import { abis } from '../contracts.ts'
import { assetOf, type Market } from '../core/index.rules.ts'
import {
  approveStep,
  at,
  buildSteps,
  endpointAt,
  findDeployedMarket,
  type MarketCall,
  requireAddressField,
} from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { positive } from './fund-amount.ts'
import { readFund } from './fund-state.reads.ts'
import * as store from './insurance.store.ts'

const topUpCall = at('fund', 'topUp', 'FundsAdded')

type TopUpBody = BodyOf<typeof lendingOperations.topUpInsurance>
type RecordBody = BodyOf<typeof lendingOperations.recordTopUp>

function requireAmount(text: string, { borrowDecimals }: Market): bigint {
  const raw = positive(text, borrowDecimals)
  if (raw === null) throw new AppError('INVALID_AMOUNT')
  return raw
}

/** The fund that the market names now; events of another one prove nothing here. */
async function fundOf(chain: Chain, market: Market): Promise<Address> {
  const { results } = await chain.read([contractRead(market.address, abis.market, 'parts', [])])
  const [parts] = results
  if (!parts.ok) throw new AppError('CHAIN_UNAVAILABLE')
  if (BigInt(parts.value.fund) === 0n) throw new AppError('NO_INSURANCE_FUND')
  return parts.value.fund.toLowerCase() as Address
}

/** The verifier's words for a transaction that did something else. */
const notATopUp = new Set(['TX_WRONG_TARGET', 'TX_WRONG_FUNCTION'])

/** Adding to the reserve, and the record of it. */
export function createTopUp({ clock, chains, writes }: LendingParts) {
  return {
    async build(call: MarketCall, marketId: string, body: TopUpBody) {
      const { market } = await findDeployedMarket(call, marketId)
      const from = requireAddressField('fromAddress', body.fromAddress)
      const raw = requireAmount(body.amount, market)
      const chain = chains.get(market.chainId)
      const { block, fund, named, hasOpenTopUp, heldByPayer } = await readFund(chain, market, from)
      if (named === null) throw new AppError('NO_INSURANCE_FUND')
      if (named === undefined || heldByPayer === null) throw new AppError('FUND_STATE_UNAVAILABLE')
      if (!hasOpenTopUp) throw new AppError('FUND_UPGRADE_REQUIRED')
      const amount = formatUnits(raw, market.borrowDecimals)
      if (heldByPayer < raw)
        throw new AppError('INSUFFICIENT_BALANCE', {
          detail: `The wallet holds ${formatUnits(heldByPayer, market.borrowDecimals)} ${market.borrowSymbol}, which is less than ${amount}.`,
        })
      const planned = [
        approveStep(market.borrowAsset, fund, raw, `Lets the fund take ${amount} ${market.borrowSymbol}.`),
        {
          call: topUpCall.prepare(fund, { amount: raw }),
          functionName: topUpCall.functionName,
          description: `Adds ${amount} to the reserve.`,
        },
      ]
      const { built, calls } = await buildSteps(chain, from, planned, clock)
      const data = {
        action: built.action,
        steps: calls,
        functionName: 'topUp' as const,
        confirmStepIndex: 1 as const,
        simulation: built.simulation,
        fundAddress: fund,
        fromAddress: from,
        amount,
        amountRaw: raw.toString(),
        asset: assetOf(market),
        booked: true as const,
        note: 'Sign both from the same wallet, in this order. What is added belongs to the fund from then on.',
        confirmWith: {
          endpoint: endpointAt(call.mountedAt, `/markets/${marketId}/insurance/record-topup`),
          field: 'txHash' as const,
          body: { txHash: null, amount, fromAddress: from },
        },
      }
      return { data, block, calls }
    },

    async record(call: MarketCall, marketId: string, body: RecordBody) {
      const { market } = await findDeployedMarket(call, marketId)
      const { tenant } = call
      const source = requireAddressField('fromAddress', body.fromAddress)
      const amount = requireAmount(body.amount, market)
      const txHash = body.txHash.toLowerCase() as Hex
      const [before] = await tenant.read((sql) =>
        store.findRecordedTopUp(sql, tenant.instanceId, market.chainId, txHash),
      )
      const chain = chains.get(market.chainId)
      const fund = await fundOf(chain, market)
      // The market fills its own fund with sweeps: that is income, not a top-up.
      if (source === market.address) throw new AppError('NOT_A_TOP_UP')
      // Not this amount: perhaps another of the same wallet.
      const accepted = [candidate(topUpCall, { source, amount }), candidate(topUpCall, { source })]
      const place = { chain, target: fund, kind: topUpCall.kind }
      const proving = writes.confirmOneOf(tenant, place, accepted, txHash, ({ effect }) => {
        if (effect.amount !== amount) throw new AppError('AMOUNT_MISMATCH')
        return {}
      })
      const proof = await proving.catch((error: unknown) => {
        throw error instanceof AppError && notATopUp.has(error.code) ? new AppError('NOT_A_TOP_UP') : error
      })
      const data = {
        recorded: true as const,
        duplicate: before?.known ?? false,
        booked: true as const,
        txHash,
        ...(proof.verifiedBy ? { verifiedBy: proof.verifiedBy } : {}),
        fundAddress: fund,
        fromAddress: source,
        amount: formatUnits(amount, market.borrowDecimals),
        amountRaw: amount.toString(),
        at: new Date(proof.transaction.block.time * 1000).toISOString(),
        note: 'Booked by the fund: it counts in totalDeposits.',
      }
      return { data, block: proof.transaction.block }
    },
  }
}

export type TopUp = ReturnType<typeof createTopUp>
