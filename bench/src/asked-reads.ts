import type { Block } from '../../apps/server/src/platform/chain/block.ts'
import type { Chain } from '../../apps/server/src/platform/chain/chain.ts'
import type { Chains } from '../../apps/server/src/platform/chain/chains.ts'
import type { ContractRead } from '../../apps/server/src/platform/chain/contract-read.ts'

type Reads = readonly ContractRead<unknown>[]

/** A multicall, or a call of another shape that tells its height. */
type Question =
  | { readonly kind: 'reads'; readonly reads: Reads }
  | { readonly kind: 'call'; readonly ask: (chain: Chain) => Promise<{ block: Block; value: unknown }> }

/** The same chains, and a note of what was asked of them. */
export function createNotedChains(chains: Chains) {
  const noted: Question[] = []
  const unknown = () => {
    throw new Error('storage slots have no plain rival')
  }
  const withNotes = (chain: Chain): Chain => ({
    ...chain,
    callAtOneBlock: (call, decode) => {
      noted.push({ kind: 'call', ask: (other) => other.callAtOneBlock(call, decode) })
      return chain.callAtOneBlock(call, decode)
    },
    readWithSlots: unknown,
    read: (reads) => {
      noted.push({ kind: 'reads', reads })
      return chain.read(reads)
    },
  })
  const all = chains.all.map(withNotes)

  return {
    chains: { ...chains, all, get: (chainId: number) => withNotes(chains.get(chainId)) },

    /** What `work` asked, which must be one question: a route that asks twice has no plain rival. */
    async askedBy(work: () => Promise<void>): Promise<Question> {
      noted.length = 0
      await work()
      const [question, ...more] = noted
      if (!question || more.length > 0) throw new Error(`one question was expected, not ${noted.length}`)
      return question
    },
  }
}
