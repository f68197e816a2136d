import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Address, zeroAddress } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { chainOrNull } from '../../platform/chain/chain-or-null.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { findDeployedMarket, type MarketCall, simulateInOrder } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { claimEscrowedCollateral } from './claims.call.ts'

type ClaimBody = BodyOf<typeof lendingOperations.claimEscrowedCollateral>

/** Nobody is named who would sign, or the chain cannot be asked. */
const notSimulated = { simulated: false, success: false, gasUsed: null, revert: null }

async function findCustodyMarket(call: MarketCall, marketId: string): Promise<Market> {
  const { market } = await findDeployedMarket(call, marketId)
  if (market.mode !== 'CUSTODY') throw new AppError('NOT_CUSTODY_MODE')
  if (market.adapter === zeroAddress) throw new AppError('NO_ADAPTER')
  return market
}

async function readEscrow(chain: Chain, { adapter }: Market, holder: Address) {
  const { block, results } = await chain.read([contractRead(adapter, abis.custodyAdapter, 'escrowOf', [holder])])
  const [escrow] = results
  return { block, escrow: escrow.ok ? escrow.value : null }
}

/** Collateral that a token refused to give back. */
export function createEscrowedCollateral({ clock, chains }: LendingParts) {
  return {
    async get(call: MarketCall, marketId: string, holderText: string) {
      const market = await findCustodyMarket(call, marketId)
      const holder = requireAddressField('holder', holderText)
      const { block, escrow } = await readEscrow(chains.get(market.chainId), market, holder)
      if (escrow === null) throw new AppError('ESCROW_UNREADABLE')
      const data = {
        holderAddress: holder,
        adapterAddress: market.adapter,
        escrowedCollateral: formatUnits(escrow, market.collateralDecimals),
        escrowedCollateralRaw: escrow.toString(),
        asset: {
          address: market.collateralToken,
          symbol: market.collateralSymbol,
          decimals: market.collateralDecimals,
        },
      }
      return { data, block }
    },

    async claim(call: MarketCall, marketId: string, { holderAddress }: ClaimBody) {
      const market = await findCustodyMarket(call, marketId)
      const holder = holderAddress === undefined ? null : requireAddressField('holderAddress', holderAddress)
      const chain = chains.get(market.chainId)
      // An escrow that cannot be read stops nobody: the adapter knows it.
      const read = holder ? await chainOrNull(readEscrow(chain, market, holder)) : null
      if (read?.escrow === 0n) throw new AppError('NO_ESCROWED_COLLATERAL')
      const { to, data: calldata, value } = claimEscrowedCollateral(market.adapter)
      const simulation = holder
        ? await chainOrNull(simulateInOrder(chain, holder, [{ to, data: calldata, value }], clock))
        : null
      const transaction = { to, data: calldata, value: '0' as const, chainId: chain.chainId }
      const data = {
        action: 'SIGN_TRANSACTION' as const,
        transaction,
        functionName: 'claimEscrowedCollateral',
        simulation: simulation ?? notSimulated,
        adapterAddress: market.adapter,
        escrowedCollateral:
          read?.escrow === null || read === null ? null : formatUnits(read.escrow, market.collateralDecimals),
      }
      return { data, ...(read ? { block: read.block } : {}), calls: [transaction] }
    },
  }
}

export type EscrowedCollateral = ReturnType<typeof createEscrowedCollateral>
