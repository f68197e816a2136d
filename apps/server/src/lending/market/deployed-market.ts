import type { Address } from 'viem'
import type { MinedTransaction } from '../../platform/chain/transaction.ts'
import type { ImportRow } from '../../tokens/index.ts'
import type { ConcernedContract } from '../../writes/index.ts'
import type { Market } from '../core/index.rules.ts'
import type { DeploymentFacts } from './deployment-facts.ts'

/** Tokens call themselves what they like; what nobody can see is left out, and the database could not store all of it. */
const shown = (text: string): string => text.replace(/\p{C}/gu, '')

interface Deployed {
  readonly chainId: number
  readonly factory: Address
  readonly address: Address
  readonly facts: DeploymentFacts
  /** The confirming instance's own import of the collateral, which knows what the token itself does not say. */
  readonly token: ImportRow | undefined
  readonly transaction: MinedTransaction
}

/** What never changes of a market, as it is kept for everybody. */
export function deployedMarket({ chainId, factory, address, facts, token, transaction }: Deployed): Market {
  const { attested: _hash, attestor: _attestor, ...parts } = facts
  return {
    ...parts,
    chainId,
    address,
    factory,
    collateralName: shown(facts.collateralName) || token?.name || '',
    collateralSymbol: shown(facts.collateralSymbol) || token?.symbol || '',
    collateralDecimals: facts.collateralDecimals ?? token?.decimals ?? 0,
    collateralFramework: token?.framework ?? null,
    collateralIsin: token?.profile?.isin ?? null,
    tokenRegistry: registryOf(token),
    borrowSymbol: shown(facts.borrowSymbol),
    deployedBlock: transaction.block.number,
    deployedAt: new Date(transaction.block.time * 1000),
    deployTx: transaction.hash,
  }
}

type Parts = Pick<
  Market,
  'address' | 'oracle' | 'rateModel' | 'insuranceFund' | 'router' | 'adapter' | 'mode' | 'deployedBlock'
>

/** Every contract of a market, to be followed from the block that created it. */
export function contractsOf(market: Parts): ConcernedContract[] {
  const kinds: Record<Address, string> = {
    [market.address]: 'market',
    [market.oracle]: 'oracle',
    [market.rateModel]: 'rateModel',
    [market.insuranceFund]: 'fund',
    [market.router]: 'router',
    [market.adapter]: market.mode === 'FREEZE' ? 'freezeAdapter' : 'custodyAdapter',
  }
  return Object.entries(kinds).map(([address, kind]) => ({
    address: address as Address,
    kind,
    fromBlock: market.deployedBlock,
  }))
}

function registryOf(token: ImportRow | undefined): Address | null {
  const registry = token?.facts.identityRegistry
  return typeof registry === 'string' ? (registry.toLowerCase() as Address) : null
}
