import { type Hex, toHex } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import type { TwoLegged } from '../../platform/http/legs.ts'
import { type Asked, writesOf } from '../../writes/index.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { type Adoptions, createAdoptions } from './adoptions.ts'
import { type Candidate, prepareCandidate } from './candidate-market.ts'
import type { QueueRequest } from './queue-request.ts'

/** A market that waits for its lender of record, as the database knows it. */
export interface QueuedSubject extends Candidate, QueueRequest {
  readonly chain: Chain
  readonly adoptions: Adoptions
  newSalt(): Hex
}

/** An operation on the market whose address its path names. */
interface QueuedOperation extends TwoLegged {
  readonly params: NonNullable<TwoLegged['params']>
}

async function findSubject(parts: LendingParts, asked: Asked): Promise<QueuedSubject> {
  const { tenant, caller, mountedAt, params } = asked
  const { instance } = caller
  const request = { tenant, instance, mountedAt }
  return {
    ...request,
    ...(await prepareCandidate(request, params.market ?? '')),
    chain: parts.chains.get(instance.chainId),
    adoptions: createAdoptions(parts),
    newSalt: () => toHex(parts.random(32)),
  }
}

/** What is signed about a market in the queue goes to the factory; its confirmation is an operation of its own. */
export const { building: queuedBuild, confirming: queuedConfirmation } = writesOf<
  QueuedOperation,
  LendingParts,
  QueuedSubject
>({
  find: findSubject,
  targets: { factory: ({ factory }) => factory },
  path: ({ address }) => ({ market: address }),
  explain: explainLending,
})
