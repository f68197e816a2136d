import type { Block } from '../../platform/chain/block.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { ContractRead, ReadResult } from '../../platform/chain/contract-read.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'

/** What was asked, to be opened once the chain has answered. */
export type Asked<T> = () => T

export interface Inquiry {
  /** What nobody vouches for may refuse to answer. */
  ask<T>(read: ContractRead<T>): Asked<ReadResult<T>>
  /** A contract of ours always answers; when it does not, the chain could not be read. */
  askOurs<T>(read: ContractRead<T>): Asked<T>
  /** All of it at one block in one round trip; what was asked twice is asked once. */
  send(chain: Chain): Promise<Block>
}

export function createInquiry(): Inquiry {
  const reads: ContractRead<unknown>[] = []
  const places = new Map<string, number>()
  let answers: readonly ReadResult<unknown>[] = []

  function ask<T>(read: ContractRead<T>): Asked<ReadResult<T>> {
    const key = `${read.to} ${read.data}`
    const place = places.get(key) ?? reads.push(read) - 1
    places.set(key, place)
    return () => {
      const answer = answers[place]
      if (!answer) throw new Error('an answer was opened before the question was sent')
      return answer as ReadResult<T>
    }
  }

  return {
    ask,
    askOurs(read) {
      const asked = ask(read)
      return () => {
        const answer = asked()
        if (!answer.ok) throw new ChainUnavailableError(`the contract ${read.to} did not answer`)
        return answer.value
      }
    },
    async send(chain) {
      const { block, results } = await chain.read(reads)
      answers = results
      return block
    },
  }
}
