import type { Address, Hex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Revert } from '../../platform/chain/reverts.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { RelayerService } from '../../relayer/index.ts'

interface BuiltCall {
  readonly transaction: { readonly to: Address; readonly data: Hex; readonly value: '0'; readonly chainId: number }
  readonly functionName: string
  readonly simulation: {
    readonly simulated: boolean
    readonly success: boolean
    readonly gasUsed: string | null
    readonly revert: Revert | null
  }
}

/** A transaction to sign, as this surface answers it. */
export function unsigned({ transaction, functionName, simulation }: BuiltCall, endpoint: string) {
  const { to, data, value, chainId } = transaction
  return {
    success: true as const,
    txData: { to, data, value },
    chainId,
    functionName,
    simulation,
    confirmWith: { endpoint, field: 'txHash' as const },
  }
}

/** Has the relayer send a call that was simulated from its own address. One that would fail is not sent. */
export async function relayed(
  relayer: RelayerService,
  tenant: TenantDatabase,
  purpose: string,
  { transaction: { to, data, chainId }, simulation }: BuiltCall,
  gas?: bigint | null,
): Promise<Hex> {
  if (simulation.simulated && !simulation.success)
    throw new AppError('TX_WOULD_REVERT', {
      ...(simulation.revert
        ? { detail: `The relayer did not send the transaction, which would fail: ${simulation.revert.message}` }
        : {}),
      extra: { simulation },
    })
  // What does less with less gas is not left to an estimate.
  if (gas === null) throw new AppError('RELAYER_UNAVAILABLE', { detail: 'The node does not tell what the call takes.' })
  const { txHash } = await relayer.relay(tenant, chainId, purpose, {
    ...{ to, data, value: 0n },
    ...(gas === undefined ? {} : { gas }),
  })
  return txHash
}
