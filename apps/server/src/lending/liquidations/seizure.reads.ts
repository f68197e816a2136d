import { type Address, erc20Abi } from 'viem'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'

/** What is locked on the account of a borrower and what is there; in custody nothing lies on it. */
export const pledgeReads = ({ mode, adapter, collateralToken }: Market, holder: Address | null) =>
  mode === 'FREEZE' && holder
    ? [
        contractRead(adapter, abis.freezeAdapter, 'lockedOf', [holder]),
        contractRead(collateralToken, erc20Abi, 'balanceOf', [holder]),
      ]
    : []

/** What the buyer of a sale at once can pay. */
export const buyerReads = ({ borrowAsset, router }: Market, buyer: Address) =>
  ({
    allowance: contractRead(borrowAsset, erc20Abi, 'allowance', [buyer, router]),
    balance: contractRead(borrowAsset, erc20Abi, 'balanceOf', [buyer]),
  }) as const
