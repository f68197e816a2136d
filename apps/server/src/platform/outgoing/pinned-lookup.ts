import type { LookupFunction } from 'node:net'
import type { ResolvedAddress } from './outgoing-targets.ts'

/** Gives the addresses that were checked; the name is not asked again. */
export function pinned(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses
    if (!first) callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 4)
    else if (all) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
}
