import type { Hex } from './hex.ts'
import type { RpcLog } from './stored-block.ts'

export interface LogFilter {
  address?: Hex | Hex[]
  topics?: (Hex | Hex[] | null)[]
}

const lower = (hex: string) => hex.toLowerCase()
const alternatives = (wanted: Hex | Hex[]): string[] => [wanted].flat().map(lower)

/** An address or one of several; at each place of a topic nothing, one, or one of several. */
export function matchesFilter({ address, topics = [] }: LogFilter, log: RpcLog): boolean {
  const addresses = address === undefined ? [] : alternatives(address)
  if (addresses.length > 0 && !addresses.includes(lower(log.address))) return false
  return topics.every((wanted, place) => {
    if (wanted === null || (Array.isArray(wanted) && wanted.length === 0)) return true
    const topic = log.topics[place]
    return topic !== undefined && alternatives(wanted).includes(lower(topic))
  })
}
