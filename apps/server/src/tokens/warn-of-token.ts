import type { Framework, TokenWarning } from '@tallystick/wire'
import type { Address } from 'viem'
import type { Block } from '../platform/chain/block.ts'
import type { Chain } from '../platform/chain/chain.ts'
import { warningsFrom } from './restriction.rules.ts'
import { readTokenCode } from './token-code.reads.ts'

/** What an importer should know about a token beyond what it answers. The other frameworks are restricted by what they are. */
export async function warnOfToken(
  chain: Chain,
  block: Block,
  tokenAddress: Address,
  framework: Framework,
): Promise<TokenWarning[]> {
  return framework === 'erc20' ? warningsFrom(await readTokenCode(chain, block, tokenAddress)) : []
}
