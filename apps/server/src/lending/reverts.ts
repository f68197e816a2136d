import { explainReverts } from '../platform/chain/reverts.ts'
import { abis } from './contracts.ts'

/** What the suite's own refusals mean to a caller. */
export const explainLending = explainReverts(Object.values(abis), {})
