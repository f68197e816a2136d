import { signedOrderSettlementAbi } from '@tallystick/abi'
import { type Address, erc20Abi, parseAbi } from 'viem'
import { contractRead } from '../../platform/chain/contract-read.ts'
import type { Custody } from './custody.ts'
import { hindranceOf, isShareless } from './delivery.rules.ts'
import type { OnchainBook } from './onchain-book.ts'

const securityAbi = parseAbi(['function getFrozenTokens(address account) view returns (uint256)'])
const abi = signedOrderSettlementAbi

/** External securities stay in the wallets of their holders; the settlement contract answers for both legs. */
export function createSettlementCustody({ custody, token: security }: OnchainBook): Omit<Custody, 'eras'> {
  return {
    askBacking({ ask, askOurs }, trader: Address, token: Address) {
      if (token !== security) return askOurs(contractRead(custody, abi, 'spendable', [token, trader]))
      const balance = ask(contractRead(token, erc20Abi, 'balanceOf', [trader]))
      const frozen = ask(contractRead(token, securityAbi, 'getFrozenTokens', [trader]))
      return () => {
        const [held, blocked] = [balance(), frozen()]
        // As the contract sees it: what the token does not tell is not there.
        return held.ok && blocked.ok && held.value > blocked.value ? held.value - blocked.value : 0n
      }
    },

    askTrader({ askOurs }, { token, trader, isBuy, quantity }) {
      // A buy that rests has no seller yet to be asked about.
      if (isBuy) return () => null
      const code = askOurs(contractRead(custody, abi, 'restingCheck', [token, trader, quantity]))
      return () => {
        const hindrance = hindranceOf(code())
        // What is missing is told in figures.
        return hindrance && isShareless(hindrance) ? null : hindrance
      }
    },

    askPair({ askOurs }, { seller, buyer, quantity }) {
      const check = askOurs(contractRead(custody, abi, 'deliveryCheck', [security, seller, buyer, quantity]))
      return () => hindranceOf(check()[0])
    },

    askMarket: () => () => null,
  }
}
