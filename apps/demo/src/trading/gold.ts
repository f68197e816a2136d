import { demoCashAbi, demoCashBytecode } from '@tallystick/abi'
import { DEPLOYMENT_PROXY } from '@tallystick/deployer'
import { type Address, concat, encodeDeployData, getCreate2Address, zeroHash } from 'viem'
import { hasCode } from '../demo-tokens.ts'
import type { TradingStage } from './trading-stage.ts'

export const GOLD = 'XAU'

/** A token without rules, at an address that depends on nothing but its code: however often a start was killed, there is one. */
export async function ensureGold({ world, signing, issuer }: TradingStage): Promise<void> {
  const args = ['Tresor Gold', GOLD, 8, issuer.account.address] as const
  const creation = encodeDeployData({ abi: demoCashAbi, bytecode: demoCashBytecode, args })
  const address = getCreate2Address({ from: DEPLOYMENT_PROXY, salt: zeroHash, bytecode: creation })
  if (!(await hasCode(world.rpcUrl, address)))
    await signing.sendAll(issuer.account, [
      { to: DEPLOYMENT_PROXY, data: concat([zeroHash, creation]), gas: 5_000_000n },
    ])
  world.tokens[GOLD] = address.toLowerCase() as Address
}
