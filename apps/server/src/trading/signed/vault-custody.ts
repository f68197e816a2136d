import { tradingVaultAbi } from '@tallystick/abi'
import { type Address, parseAbi } from 'viem'
import type { Block } from '../../platform/chain/block.ts'
import { contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import type { Custody } from './custody.ts'
import type { Hindrance } from './delivery.rules.ts'
import type { Asked, Inquiry } from './inquiry.ts'
import type { OnchainBook } from './onchain-book.ts'
import type { TokenTerms } from './token-terms.service.ts'

const dialects = parseAbi([
  'function canTransfer(address from, address to, uint256 amount) view returns (uint8 code, string rule)',
  'function detectTransferRestriction(address from, address to, uint256 amount) view returns (uint8)',
  'function paused() view returns (bool)',
  'function isFrozen(address account) view returns (bool)',
])
const registryAbi = parseAbi(['function isVerified(address account) view returns (bool)'])
const complianceAbi = parseAbi(['function canTransfer(address from, address to, uint256 amount) view returns (bool)'])

type Party = 'SELLER' | 'BUYER'
/** One party's share of one leg. */
interface Leg {
  readonly terms: TokenTerms
  readonly party: Party
  readonly account: Address
  /** Null: gives. Otherwise what it takes. */
  readonly takes: bigint | null
}
type Question = Asked<string | null>

const LONGEST_RULE = 32

const accountOf = (vault: Address, user: Address, token: Address) =>
  contractRead(vault, tradingVaultAbi, 'accountOf', [user, token])
export const tokenInfoRead = (vault: Address, token: Address) =>
  contractRead(vault, tradingVaultAbi, 'tokenInfo', [token])

/** Pooled vaults: settling moves no token, so the vault asks the token's rules about both parties. So do we, in the same words. */
export function createVaultCustody(
  { custody: vault, token, quote }: OnchainBook,
  base: TokenTerms,
  money: TokenTerms,
): Omit<Custody, 'eras'> {
  const isFalse = (answer: ReadResult<boolean>) => answer.ok && answer.value === false

  function askOwnRule({ ask }: Inquiry, from: Address, to: Address, amount: bigint, of: Address): Question {
    const answer = ask(contractRead(of, dialects, 'canTransfer', [from, to, amount]))
    return () => {
      const told = answer()
      if (!told.ok) return 'NO_ANSWER'
      const [code, rule] = told.value
      // As much of it as the vault itself keeps.
      return code === 0 ? null : rule.replace(/[^\w ]/g, '').slice(0, LONGEST_RULE)
    }
  }

  /** What the vault asks of a token that speaks ERC-3643, and of ERC-1404 besides. */
  function ask3643(inquiry: Inquiry, { terms, account, takes }: Leg): Question {
    const { ask } = inquiry
    const paused = ask(contractRead(terms.token, dialects, 'paused', []))
    const frozen = ask(contractRead(terms.token, dialects, 'isFrozen', [account]))
    const verified = ask(contractRead(terms.registry, registryAbi, 'isVerified', [account]))
    const [from, amount] = takes === null ? [account, 0n] : [vault, takes]
    const allowed =
      takes === null ? null : ask(contractRead(terms.compliance, complianceAbi, 'canTransfer', [vault, account, takes]))
    const restriction =
      terms.rules === 'ERC1404'
        ? ask(contractRead(terms.token, dialects, 'detectTransferRestriction', [from, account, amount]))
        : null
    return () => {
      if (!isFalse(paused())) return 'TOKEN_PAUSED'
      if (!isFalse(frozen())) return 'WALLET_FROZEN'
      const [isVerified, isAllowed, code] = [verified(), allowed?.(), restriction?.()]
      if (!isVerified.ok || !isVerified.value) return 'NOT_VERIFIED'
      if (isAllowed && !(isAllowed.ok && isAllowed.value)) return 'COMPLIANCE_REFUSED'
      return code && !(code.ok && code.value === 0) ? 'RESTRICTED' : null
    }
  }

  function askLeg(inquiry: Inquiry, leg: Leg): Asked<Hindrance | null> {
    const { terms, account, takes, party } = leg
    const question: Question =
      terms.rules === 'NONE'
        ? () => null
        : terms.rules === 'CAN_TRANSFER'
          ? askOwnRule(inquiry, takes === null ? account : vault, account, takes ?? 0n, terms.token)
          : ask3643(inquiry, leg)
    return () => {
      const rule = question()
      if (rule === null) return null
      const [, role = '', word = rule] = /^(SENDER_|RECEIVER_)?(.*)$/.exec(rule) ?? []
      // It is the vault that would send: then the token refuses the vault, whoever trades.
      if (takes !== null && role === 'SENDER_') return { rule: `VAULT_${word}`, fault: 'TOKEN' }
      return { rule: `${party}_${word}`, fault: party }
    }
  }

  /** Everything that the vault asks about one party of a trade. */
  function askParty(inquiry: Inquiry, party: Party, account: Address, quantity: bigint, quoteAmount: bigint) {
    const isSeller = party === 'SELLER'
    const frozenUntil = inquiry.askOurs(contractRead(vault, tradingVaultAbi, 'frozenUntil', [account]))
    const legs = [
      askLeg(inquiry, { terms: base, party, account, takes: isSeller ? null : quantity }),
      askLeg(inquiry, { terms: money, party, account, takes: isSeller ? quoteAmount : null }),
    ]
    return ({ time }: Block): Hindrance | null => {
      if (frozenUntil() > BigInt(time)) return { rule: `${party}_FROZEN_IN_VAULT`, fault: party }
      for (const leg of legs) {
        const hindrance = leg()
        if (hindrance) return hindrance
      }
      return null
    }
  }

  return {
    askBacking({ askOurs }, trader, spent) {
      const account = askOurs(accountOf(vault, trader, spent))
      return () => {
        const { committed, requested } = account()
        // What was asked back may be spent until it is free, but nobody may count on it.
        return committed - requested
      }
    },
    askTrader: (inquiry, { trader, isBuy, quantity }, quoteAmount) =>
      askParty(inquiry, isBuy ? 'BUYER' : 'SELLER', trader, quantity, quoteAmount),
    askPair: (inquiry, { seller, buyer, quantity, quoteAmount }, takerIsBuyer) =>
      takerIsBuyer
        ? askParty(inquiry, 'SELLER', seller, quantity, quoteAmount)
        : askParty(inquiry, 'BUYER', buyer, quantity, quoteAmount),
    askMarket({ askOurs }) {
      const [ofBase, ofQuote] = [token, quote].map((one) => askOurs(tokenInfoRead(vault, one)))
      return () => {
        const [info, moneyInfo] = [ofBase?.(), ofQuote?.()]
        if (!info?.[0]) return 'BASE'
        if (!moneyInfo?.[0]) return 'QUOTE'
        return info[1] === base.rulesCode && moneyInfo[1] === money.rulesCode ? null : 'CHANGED'
      }
    },
  }
}
