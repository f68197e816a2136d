import { stockTokenAbi } from '@tallystick/abi'
import { type Address, parseAbi } from 'viem'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { bounded } from './bounded-reads.ts'
import type { Pledge } from './compliance.rules.ts'

/** What tokens with rules for their holders answer. Nobody vouches for the token, nor for the contracts that it names. */
const tokenAbi = parseAbi([
  'function paused() view returns (bool)',
  'function isFrozen(address) view returns (bool)',
  'function identityRegistry() view returns (address)',
  'function isVerified(address) view returns (bool)',
  'function compliance() view returns (address)',
  'function canTransfer(address from, address to, uint256 amount) view returns (bool)',
  'function isAuthorizedContract(address) view returns (bool)',
])
/** A code and the name of a rule, which fits one word. */
const VERDICT_WORDS = 4

const ofHolder = ({ collateralToken: token }: Market, holder: Address) =>
  ({
    paused: bounded(contractRead(token, tokenAbi, 'paused', [])),
    holderFrozen: bounded(contractRead(token, tokenAbi, 'isFrozen', [holder])),
    registry: bounded(contractRead(token, tokenAbi, 'identityRegistry', [])),
    // Some registers answer a second word.
    holderVerified: bounded(contractRead(token, tokenAbi, 'isVerified', [holder]), 2, 'registry'),
    // Whom the token lets hold without asking its register.
    holderListed: bounded(contractRead(token, tokenAbi, 'isAuthorizedContract', [holder])),
  }) as const

/** Collateral in custody has to move to come back, so the token is asked about that, too. */
const ofCustody = ({ collateralToken: token, adapter }: Market, { holder, amount }: Pledge) => {
  const wayBack = [adapter, holder, amount === 0n ? 1n : amount] as const
  return {
    escrow: bounded(contractRead(adapter, abis.custodyAdapter, 'escrowOf', [holder])),
    adapterFrozen: bounded(contractRead(token, tokenAbi, 'isFrozen', [adapter])),
    rules: bounded(contractRead(token, tokenAbi, 'compliance', [])),
    transferAllowed: bounded(contractRead(token, tokenAbi, 'canTransfer', wayBack), 1, 'rules'),
    // Our own stocks judge a transfer as a whole, and name the rule.
    tokenVerdict: bounded(contractRead(token, stockTokenAbi, 'canTransfer', wayBack), VERDICT_WORDS),
  } as const
}

/** May the holder have the collateral back? */
export const complianceReads = (market: Market, pledge: Pledge) => ({
  ...ofHolder(market, pledge.holder),
  ...(market.mode === 'CUSTODY' ? ofCustody(market, pledge) : {}),
})
