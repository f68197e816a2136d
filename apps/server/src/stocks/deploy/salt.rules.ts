import { encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from 'viem'

interface SaltOf {
  readonly instanceId: string
  readonly isin: string
  readonly name: string
  readonly symbol: string
  /** Chosen by the caller, or fresh: the same deployment asked for twice with the same one has the same address. */
  readonly chosen: Hex
}

const parameters = parseAbiParameters('string instanceId, string isin, string name, string symbol, bytes32 chosen')

/** Bound to the instance and the terms, so that two instances that choose the same one do not meet. */
export const saltOf = ({ instanceId, isin, name, symbol, chosen }: SaltOf): Hex =>
  keccak256(encodeAbiParameters(parameters, [instanceId, isin, name, symbol, chosen]))
