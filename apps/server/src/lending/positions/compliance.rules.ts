import type { Address } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Market } from '../core/index.rules.ts'

/** A pledge that the token is asked about. */
export interface Pledge {
  readonly holder: Address
  /** What would go back if all of it were released. */
  readonly amount: bigint
}

type Answer = boolean | null

/** What the token answered; null: nothing that makes sense. The last three are asked of pledges in custody only. */
export interface ComplianceAnswers {
  readonly paused: Answer
  readonly holderFrozen: Answer
  readonly holderVerified: Answer
  readonly holderListed: Answer
  readonly adapterFrozen?: Answer
  readonly transferAllowed?: Answer
  /** A code, 0 for yes, and the name of the rule: of tokens that judge a transfer as a whole. */
  readonly tokenVerdict?: readonly [number, string] | null
}

const reasons = {
  TOKEN_PAUSED: 'The token is paused: nothing of it moves.',
  HOLDER_FROZEN: 'The token has frozen the wallet of the holder.',
  ADAPTER_FROZEN: 'The token has frozen the adapter that holds the collateral.',
  HOLDER_NOT_VERIFIED: 'The register of the token does not verify the holder.',
  COMPLIANCE_REFUSED: 'The rules of the token refuse the way back to the holder.',
  UNKNOWN: 'The token does not answer every question about its holders; only a transfer would show.',
} as const

type Code = keyof typeof reasons

/** Which rule stands against the holder, the plainest first; null: none does; `UNKNOWN`: the token leaves it open. */
function ruleAgainst({ mode }: Market, answers: ComplianceAnswers): Code | null {
  const asked: [Code, Answer | undefined][] = [
    ['TOKEN_PAUSED', answers.paused],
    ['HOLDER_FROZEN', answers.holderFrozen],
    ['HOLDER_NOT_VERIFIED', answers.holderListed ? false : not(answers.holderVerified)],
  ]
  if (mode === 'CUSTODY')
    asked.push(['ADAPTER_FROZEN', answers.adapterFrozen], ['COMPLIANCE_REFUSED', isRefused(answers)])
  const standing = asked.find(([, stands]) => stands === true)
  if (standing) return standing[0]
  return asked.some(([, stands]) => typeof stands !== 'boolean') ? 'UNKNOWN' : null
}

const isRefused = ({ tokenVerdict, transferAllowed }: ComplianceAnswers) =>
  tokenVerdict ? tokenVerdict[0] !== 0 : not(transferAllowed)

/** In the token's own word, where it has one. */
function reasonOf(code: Code, { tokenVerdict }: ComplianceAnswers): string {
  const rule = code === 'COMPLIANCE_REFUSED' && tokenVerdict ? tokenVerdict[1] : ''
  return /^[A-Z_]+$/.test(rule) ? `${reasons[code]} (${rule})` : reasons[code]
}

const not = (answer: Answer | undefined) => (typeof answer === 'boolean' ? !answer : null)

interface Judged {
  readonly pledge: Pledge
  readonly answers: ComplianceAnswers
  /** What the adapter keeps for the holder. */
  readonly escrow: bigint
  readonly chainTime: number
}

/** What the token says about the holder of a pledge, and what that means for the collateral. */
export function shownCompliance(market: Market, { pledge: { holder }, answers, escrow, chainTime }: Judged) {
  const { mode, collateralDecimals } = market
  const code = ruleAgainst(market, answers)
  const restricted = code === 'UNKNOWN' ? null : code !== null
  const mayReturn = restricted === null ? null : !restricted
  return {
    mode,
    holder,
    restricted,
    code,
    reason: code === null ? null : reasonOf(code, answers),
    collateralReturnable: mode === 'FREEZE' ? true : mayReturn,
    willEscrowOnRelease: mode === 'FREEZE' ? false : restricted,
    escrowedCollateral: formatUnits(escrow, collateralDecimals),
    escrowedCollateralRaw: escrow.toString(),
    holderVerified: answers.holderVerified,
    holderAddressFrozen: answers.holderFrozen,
    tokenPaused: answers.paused,
    checkedAt: new Date(chainTime * 1000).toISOString(),
  }
}
