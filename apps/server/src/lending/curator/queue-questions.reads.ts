import type { Address } from 'viem'
import { type Probe, probe } from '../../platform/chain/bounded-reader.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { isVerified, type RegisterShape, registerProbe, shapeOf } from '../registers/index.rules.ts'
import { type TokenName, tokenName, tokenProbes } from './token-name.rules.ts'

/** All answers of one call must fit the code of one contract. */
const PROBES_PER_CALL = 24

interface Questions {
  readonly tokens: readonly Address[]
  /** Which wallets each register is asked about; none: only whether it answers. */
  readonly registers: ReadonlyMap<Address, readonly Address[]>
}

export interface Answers {
  token(address: Address): TokenName | undefined
  shape(register: Address): RegisterShape
  verified(register: Address, wallet: Address): boolean
}

/** Tokens and registers that nobody vouches for, each asked once, in as few bounded calls as they fit into. */
export async function questionQueue(chain: Chain, { tokens, registers }: Questions): Promise<Answers> {
  const named = new Map<string, Probe>()
  for (const token of tokens) tokenProbes(token).forEach((one, index) => void named.set(`${token} ${index}`, one))
  for (const [register, wallets] of registers) {
    named.set(register, registerProbe(register))
    for (const wallet of wallets) named.set(`${register} ${wallet}`, registerProbe(register, wallet))
  }
  const probes = [...named.values()]
  const pages = Array.from({ length: Math.ceil(probes.length / PROBES_PER_CALL) }, (_, page) =>
    probe(chain, probes.slice(page * PROBES_PER_CALL, (page + 1) * PROBES_PER_CALL)),
  )
  const answers = (await Promise.all(pages)).flatMap((page) => page.answers)
  const answered = new Map([...named.keys()].map((name, index) => [name, answers[index]]))
  return {
    token: (address) =>
      tokens.includes(address) ? tokenName([0, 1, 2].map((index) => answered.get(`${address} ${index}`))) : undefined,
    shape: (register) => shapeOf(answered.get(register)),
    verified: (register, wallet) => isVerified(answered.get(`${register} ${wallet}`)),
  }
}
