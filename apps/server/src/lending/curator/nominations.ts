import { type Address, zeroAddress } from 'viem'
import { fieldError, type Refuse } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import type { MarketSubject } from '../core/index.ts'
import { orNull, realizationName } from './factory-entry.rules.ts'

function requireCandidate(candidate: string): Address {
  const address = parseAddress(candidate)
  if (!address || address === zeroAddress)
    throw fieldError('VALIDATION_ERROR', [
      { field: 'candidate', message: 'is not an address, has a wrong checksum, or is the zero address' },
    ])
  return address
}

/** Who may adopt a market without a claim. */
export async function readNominations(
  chain: Chain,
  { factory, address }: Market,
  refuse: Refuse<'FACTORY_READ_FAILED'>,
) {
  const { block, results } = await readNamed(chain, {
    candidates: contractRead(factory, abis.factory, 'candidates', [address]),
    deployment: contractRead(factory, abis.factory, 'deployment', [address]),
    owner: contractRead(factory, abis.factory, 'owner', []),
  })
  const { candidates, deployment, owner } = results
  if (!candidates.ok || !deployment.ok || !owner.ok) throw refuse('FACTORY_READ_FAILED')
  const { curator, deployer, realizationMode } = deployment.value
  return {
    block,
    candidates: candidates.value.map(lowered),
    curator: orNull(curator),
    realizationMode: realizationName(realizationMode),
    /** Whom the factory lets nominate. */
    nominators: [lowered(deployer), lowered(owner.value)],
  }
}

type BuildCode = 'FACTORY_READ_FAILED' | 'WALLET_NOT_CONFIGURED' | 'NOT_SEEKING_CURATOR' | 'DEPLOYER_NOT_AUTHORIZED'

/** A change of the list that a wallet of the instance may sign. */
export async function planNomination(
  { chain, market, record: { wallets } }: MarketSubject,
  body: { readonly candidate: string },
  refuse: Refuse<BuildCode>,
) {
  const candidate = requireCandidate(body.candidate)
  if (wallets.length === 0) throw refuse('WALLET_NOT_CONFIGURED')
  const { block, candidates, curator, nominators } = await readNominations(chain, market, refuse)
  if (curator !== null) throw refuse('NOT_SEEKING_CURATOR')
  const signer = wallets.find((wallet) => nominators.includes(wallet))
  if (!signer) throw refuse('DEPLOYER_NOT_AUTHORIZED')
  const decided = {
    block,
    signer,
    args: { market: market.address, candidate },
    answer: { marketAddress: market.address, candidate, signer },
  }
  return { isNominated: candidates.includes(candidate), decided }
}

/** How either change is confirmed; a candidate that is not named is not checked. */
export const confirmedNomination = {
  expect: ({ market, body }: { market: Market; body: { readonly candidate?: string } }) => ({
    market: market.address,
    candidate: body.candidate === undefined ? undefined : requireCandidate(body.candidate),
  }),
  proven: (
    { effect, transaction }: { effect: { readonly candidate: Address }; transaction: { readonly from: Address } },
    { market }: { market: Market },
  ) => ({
    signedBy: lowered(transaction.from),
    marketAddress: market.address,
    candidate: effect.candidate,
  }),
}
