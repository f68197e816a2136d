import type { Address } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import type { ContractRead, ReadResult } from '../../platform/chain/contract-read.ts'
import { type NamedResults, readNamed } from '../../platform/chain/named-reads.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { type DeployedRecord, roleReads, signerBlock } from '../core/index.ts'
import { type Admission, admissionOf } from '../setup/index.rules.ts'
import { firstGuess, registryNow, settled, tokenSide, tokenSideReads } from '../setup/index.ts'
import { readinessReads, readinessState } from './readiness.reads.ts'
import { readinessOf } from './readiness.rules.ts'

const isTrue = (result: ReadResult<boolean> | undefined) => result?.ok === true && result.value

function known(admission: Admission, whose: string): Admission & { admitted: boolean } {
  const { admitted } = admission
  if (admitted === null)
    throw new ChainUnavailableError(`the collateral token does not tell whether it admits ${whose}`)
  return { ...admission, admitted }
}

type NamedReads = Readonly<Record<string, ContractRead<unknown> | readonly ContractRead<unknown>[]>>

/**
 * How a market stands for a seizure, with further reads of the caller's in the same round trip. Throws when one of the contracts
 * did not answer: a read that failed never looks like a closed gate.
 */
export async function readReadiness<const M extends NamedReads>(
  chain: Chain,
  record: DeployedRecord,
  named: Address | null,
  more: M,
) {
  const { market, wallets } = record
  const operator = wallets[0] ?? null
  const { block, results, actual } = await settled(firstGuess(record), async (guess) => {
    const answer = await readNamed(chain, {
      ...readinessReads(market, guess.venue),
      operators: operator ? roleReads(market.router, 'OPERATOR_ROLE', [operator]) : [],
      liquidators: roleReads(market.address, 'LIQUIDATOR_ROLE', wallets),
      named: named ? roleReads(market.address, 'LIQUIDATOR_ROLE', [named]) : [],
      ...(more as NamedReads),
      // Last, since nobody vouches for them: what they burn, no other question misses.
      ...tokenSideReads(market, guess, []),
    })
    const venue = readinessState(answer.results)?.venue ?? guess.venue
    return { ...answer, actual: { registry: registryNow(answer.results, guess), venue } }
  })
  const state = readinessState(results)
  if (!state || [...results.operators, ...results.liquidators, ...results.named].some(({ ok }) => !ok))
    throw new ChainUnavailableError('a contract of the market did not answer')
  const token = tokenSide(results, actual, [])
  const held = wallets.find((_, index) => isTrue(results.liquidators[index]))
  const readiness = readinessOf({
    router: market.router,
    state,
    routerAdmission: known(admissionOf(token, token.router), 'the router'),
    venueAdmission: token.venue && known(admissionOf(token, token.venue), 'the venue'),
    operator,
    isOperator: isTrue(results.operators[0]),
    signer: named ?? held ?? operator,
    isLiquidator: named ? isTrue(results.named[0]) : held !== undefined,
    chainTime: block.time,
  })
  const signer = signerBlock('LIQUIDATOR_ROLE', wallets, results.liquidators)
  return { block, readiness, state, signer, more: results as unknown as NamedResults<M> }
}
