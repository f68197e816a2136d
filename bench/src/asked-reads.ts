import type { Chain } from '../../apps/server/src/platform/chain/chain.ts'
import type { Chains } from '../../apps/server/src/platform/chain/chains.ts'
import type { ContractRead } from '../../apps/server/src/platform/chain/contract-read.ts'

type Reads = readonly ContractRead<unknown>[]

/** The same chains, and a note of what was asked of them. */
export function createNotedChains(chains: Chains) {
  const noted: Reads[] = []
  const unknown = () => {
    throw new Error('only multicalls can be measured beside a bare one')
  }
  const withNotes = (chain: Chain): Chain => ({
    ...chain,
    callAtOneBlock: unknown,
    readWithSlots: unknown,
    read: (reads) => {
      noted.push(reads)
      return chain.read(reads)
    },
  })
  const all = chains.all.map(withNotes)

  return {
    chains: { ...chains, all, get: (chainId: number) => withNotes(chains.get(chainId)) },

    /** What `work` asked, which must be one question: a route that asks twice has no plain rival. */
    async askedBy(work: () => Promise<void>): Promise<Reads> {
      noted.length = 0
      await work()
      const [reads, ...more] = noted
      if (!reads || more.length > 0) throw new Error(`one multicall was expected, not ${noted.length}`)
      return reads
    },
  }
}
