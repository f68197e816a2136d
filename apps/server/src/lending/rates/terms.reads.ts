import { allValues, contractRead, type ResultsOf } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'

/** Terms of loans and everything that decides what they mean, for one multicall. */
export const termReads = ({ address, rateModel }: Market) =>
  [
    contractRead(address, abis.market, 'termConfig', []),
    contractRead(address, abis.market, 'pool', []),
    contractRead(address, abis.market, 'config', []),
    contractRead(address, abis.market, 'reserveRatioBps', []),
    contractRead(address, abis.market, 'isPaused', []),
    contractRead(address, abis.market, 'operatorFeeRecipient', []),
    contractRead(rateModel, abis.rateModel, 'offer', []),
    contractRead(address, abis.market, 'stampsLoanTerms', []),
  ] as const

type TermResults = ResultsOf<ReturnType<typeof termReads>>

/** Null: the market could not be read. Whether terms are stamped is a question that an older market may not answer. */
export function termState(results: TermResults) {
  const [term, pool, config, reserveRatioBps, isPaused, operator, offer, stamps] = results
  const values = allValues([term, pool, config, reserveRatioBps, isPaused, operator, offer])
  if (!values) return null
  return {
    term: values[0],
    pool: values[1],
    config: values[2],
    reserveRatioBps: Number(values[3]),
    isPaused: values[4],
    operator: values[5],
    offer: values[6],
    stampsLoanTerms: stamps.ok ? stamps.value : null,
  }
}

export type TermState = NonNullable<ReturnType<typeof termState>>
