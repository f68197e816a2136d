import type { Address } from 'viem'
import type { Refuse } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { TwoLegged } from '../../platform/http/legs.ts'
import { type Asked, writesOf } from '../../writes/index.ts'
import { at } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { createMarketAccess, type OpenedMarket } from './market-access.ts'

export const attestCall = at('factory', 'attestAssetData', 'AssetDataAttested')
/** A deployment makes the first attestation; nothing is ever built from here. */
export const attestByDeployment = at('factory', 'deployMarket', 'AssetDataAttested')
export const acknowledgeCall = at('factory', 'acknowledgeAssetData', 'AssetDataAcknowledged')
/** An adoption that names the standing hash acknowledges it; nothing is ever built from here. */
export const acknowledgeByAdoption = at('factory', 'acceptCuratorRole', 'AssetDataAcknowledged')

/** A market that the instance deployed, adopted, or may take over, as its factory shows it. */
export interface AssetDataSubject extends OpenedMarket {
  readonly chain: Chain
  /** The same as it stands after the transaction. */
  again(): Promise<OpenedMarket>
}

/** An operation on the market whose address its path names. */
interface AssetDataOperation extends TwoLegged {
  readonly params: NonNullable<TwoLegged['params']>
}

async function findSubject(parts: LendingParts, asked: Asked): Promise<AssetDataSubject> {
  const { tenant, caller, mountedAt, params } = asked
  const access = createMarketAccess(parts)
  const again = () => access.open({ tenant, instance: caller.instance, mountedAt, market: params.market ?? '' })
  const opened = await again()
  return { ...opened, chain: parts.chains.get(opened.chainId), again }
}

/** What is signed about the data of an asset goes to the factory; its confirmation is an operation of its own. */
export const { building: assetDataBuild, confirming: assetDataConfirmation } = writesOf<
  AssetDataOperation,
  LendingParts,
  AssetDataSubject
>({
  find: findSubject,
  targets: { factory: ({ factory }) => factory },
  path: ({ market }) => ({ market }),
  explain: explainLending,
})

/** Only who signed it may take it down. */
export function requireOwnWallet<Code extends 'ATTEST_NOT_INSTANCE_BOUND' | 'ACK_NOT_INSTANCE_BOUND'>(
  { wallets }: Pick<OpenedMarket, 'wallets'>,
  signer: Address,
  code: Code,
  refuse: Refuse<Code>,
): void {
  if (!wallets.includes(signer)) throw refuse(code)
}
