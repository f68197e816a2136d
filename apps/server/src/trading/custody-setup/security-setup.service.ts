import { type Address, type Hex, hexToString, isAddress, stringToHex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Block } from '../../platform/chain/block.ts'
import { readBounded } from '../../platform/chain/bounded-reads.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { type ContractRead, contractRead } from '../../platform/chain/contract-read.ts'
import type { NamedResults } from '../../platform/chain/named-reads.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import { abis } from '../contracts.ts'
import type { SecurityState } from './custody-state.rules.ts'
import { addAgent, registerSecurity, setOperator, setQuoteAsset } from './setup.call.ts'
import type { SetupStep } from './setup.rules.ts'
import type { SetupProof } from './setup-transactions.ts'
import { decimalsRead, ownerRead } from './token-rules.reads.ts'

/** A pair that settles between wallets, and who shall send its settlements. */
export interface SecurityPair {
  readonly settlement: Address
  readonly token: Address
  readonly quote: Address
  readonly operator: Address
}

const orNull = (address: string) => (/^0x0{40}$/.test(address) ? null : lowered(address))

/** Text that is padded with zeros on the right. */
const textOf = (word: Hex): string | null => hexToString(word, { size: 32 }) || null
const identifierWord = (text: string): Hex => stringToHex(text, { size: 32 })

const securityReads = ({ settlement, token, quote, operator }: SecurityPair) => ({
  security: contractRead(settlement, abis.signedOrderSettlement, 'securityOf', [token]),
  isQuoteAsset: contractRead(settlement, abis.signedOrderSettlement, 'isQuoteAsset', [token, quote]),
  isOperator: contractRead(settlement, abis.signedOrderSettlement, 'isOperator', [token, operator]),
  scheme: contractRead(settlement, abis.signedOrderSettlement, 'deliveryScheme', [token]),
  owner: ownerRead(token),
  baseDecimals: decimalsRead(token),
  quoteDecimals: decimalsRead(quote),
})

type MoreReads = Readonly<Record<string, ContractRead<unknown>>>

/** Everything that decides whether trades of an external security can settle, and what else is asked, in one round trip. */
export async function readSecurityState<const M extends MoreReads = Record<never, never>>(
  chain: Chain,
  pair: SecurityPair,
  more: M = {} as M,
): Promise<SecurityState & { readonly block: Block; readonly more: NamedResults<M> }> {
  const { block, results } = await readBounded(chain, { ...more, ...securityReads(pair) })
  const asked = results as NamedResults<ReturnType<typeof securityReads>>
  const { security, isQuoteAsset, isOperator, scheme, owner, baseDecimals, quoteDecimals } = asked
  if (!security.ok || !isQuoteAsset.ok || !isOperator.ok || !scheme.ok)
    throw new AppError('CHAIN_UNAVAILABLE', { detail: 'The settlement contract does not answer.' })
  const { isRegistered, isActive, admin, isin, feeRecipient, decimals } = security.value
  return {
    admin: orNull(admin),
    isRegistered,
    isActive,
    isin: textOf(isin),
    isinRaw: isin,
    feeRecipient: orNull(feeRecipient),
    isQuoteAsset: isQuoteAsset.value,
    isOperator: isOperator.value,
    scheme: scheme.value,
    owner: owner.ok && isAddress(owner.value) ? lowered(owner.value) : null,
    // What the contract settles with is what counts, whatever the token says later.
    baseDecimals: isRegistered ? decimals : baseDecimals.ok ? baseDecimals.value : null,
    quoteDecimals: quoteDecimals.ok ? quoteDecimals.value : null,
    block,
    more: results as NamedResults<M>,
  }
}

/** What the transactions of the steps must have done, by the keys of the steps. */
export const securityProofs = ({ settlement, token, quote, operator }: SecurityPair): Record<string, SetupProof> => ({
  agentRole: { pair: addAgent, target: token, expected: { agent: settlement } },
  security: { pair: registerSecurity, target: settlement, expected: { token } },
  quoteAsset: { pair: setQuoteAsset, target: settlement, expected: { token, quote, allowed: true } },
  operator: { pair: setOperator, target: settlement, expected: { token, operator, allowed: true } },
})

export function operatorStep({ settlement, token, operator }: SecurityPair, admin: Address | null): SetupStep {
  return {
    key: 'operator',
    call: setOperator.prepare(settlement, [token, operator, true]),
    functionName: setOperator.functionName,
    description: `Lets ${operator} send settlements of the security.`,
    requiredSigner: admin,
    requiredRole: 'SECURITY_ADMIN',
  }
}

/** The transactions that are left to sign, in an order in which each finds what it needs. */
export function securitySteps(pair: SecurityPair, state: SecurityState, identifier: string): SetupStep[] {
  const { settlement, token, quote } = pair
  const steps: SetupStep[] = []
  if (state.scheme === 0)
    steps.push({
      key: 'agentRole',
      call: addAgent.prepare(token, [settlement]),
      functionName: addAgent.functionName,
      description: 'Lets the settlement contract deliver the security, which it does for signed orders alone.',
      requiredSigner: state.owner,
      requiredRole: 'TOKEN_AGENT_ADMIN',
    })
  if (!state.isRegistered)
    steps.push({
      key: 'security',
      call: registerSecurity.prepare(settlement, [token, identifierWord(identifier)]),
      functionName: registerSecurity.functionName,
      description: `Registers the security as ${identifier}; whoever signs administers it there.`,
      requiredSigner: null,
      requiredRole: 'TOKEN_OWNER_ISSUER_OR_AGENT',
    })
  if (!state.isQuoteAsset)
    steps.push({
      key: 'quoteAsset',
      call: setQuoteAsset.prepare(settlement, [token, quote, true]),
      functionName: setQuoteAsset.functionName,
      description: `Lets the security be paid for with ${quote}.`,
      requiredSigner: state.admin,
      requiredRole: 'SECURITY_ADMIN',
    })
  if (!state.isOperator) steps.push(operatorStep(pair, state.admin))
  return steps
}
