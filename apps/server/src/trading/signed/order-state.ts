import { signedOrderSettlementAbi } from '@tallystick/abi'
import type { Address, Hex } from 'viem'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { earlierAbi } from '../contracts.ts'
import type { Asked, Inquiry } from './inquiry.ts'
import type { OrderState } from './order-state.rules.ts'
import { inEra, type SaltEra, type SaltPrefix, saltPrefixOf } from './salt-prefix.rules.ts'
import type { SignedOrder } from './signed-order.rules.ts'

/** Both custody contracts keep the books of signed orders in the same words. */
const abi = signedOrderSettlementAbi

export interface StateQuestion {
  readonly order: SignedOrder
  readonly hash: Hex
  /** Null: known to be good for ever, since the trader's own key signed. */
  readonly signature: Hex | null
}

/** What the custody contract knows about a signed order. */
export function askOrderState(
  inquiry: Inquiry,
  custody: Address,
  { order, hash, signature }: StateQuestion,
  eras: readonly SaltEra[],
): Asked<OrderState> {
  const { askOurs } = inquiry
  const { trader, token, quote } = order
  const filled = askOurs(contractRead(custody, abi, 'filled', [trader, hash]))
  const isCancelled = askOurs(contractRead(custody, abi, 'isCancelled', [trader, hash]))
  const nonceFloor = askOurs(contractRead(custody, abi, 'nonceFloor', [trader]))
  const saltPrefix = askSaltPrefix(inquiry, custody, token, quote, eras)
  const isSignatureValid =
    signature === null ? () => true : askOurs(contractRead(custody, abi, 'isSignatureValid', [order, signature]))
  return () => ({
    filled: filled(),
    isCancelled: isCancelled(),
    nonceFloor: nonceFloor(),
    saltPrefix: saltPrefix(),
    isSignatureValid: isSignatureValid(),
  })
}

export const nonceFloorRead = (custody: Address, trader: Address) => contractRead(custody, abi, 'nonceFloor', [trader])

/** `eras` of the pair, oldest first; without any it is what the contract says. */
export function askSaltPrefix(
  { ask }: Inquiry,
  custody: Address,
  token: Address,
  quote: Address,
  eras: readonly SaltEra[],
): Asked<SaltPrefix> {
  const told = ask(contractRead(custody, abi, 'saltPrefix', [token, quote]))
  const toldEarlier = ask(contractRead(custody, earlierAbi, 'saltPrefix', [token]))
  return () => {
    const prefix = saltPrefixOf([told(), toldEarlier()])
    if (prefix === undefined) throw new ChainUnavailableError(`the contract ${custody} did not answer`)
    return inEra(prefix, eras)
  }
}
