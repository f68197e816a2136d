import { demoCashAbi, demoCashBytecode } from '@tallystick/abi'
import type { Address } from 'viem'
import { encodeDeployData } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { ensureCreated } from './create2.ts'

export const GOLD = 'XAU'

/** A token without rules: traded on a book, pledged in a market. */
export function ensureGold(rpcUrl: string, issuer: PrivateKeyAccount): Promise<Address> {
  const args = ['Tresor Gold', GOLD, 8, issuer.address] as const
  return ensureCreated(rpcUrl, issuer, encodeDeployData({ abi: demoCashAbi, bytecode: demoCashBytecode, args }))
}
