import { type Abi, type Address, encodeFunctionData, parseAbi } from 'viem'
import { type Probe, type ProbeAnswer, probe } from '../../platform/chain/bounded-reader.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { isVerified, type RegisterShape, registerProbe, shapeOf } from '../registers/index.rules.ts'
import { type TokenName, tokenName, tokenProbes } from './token-name.rules.ts'

const abi: Abi = parseAbi([
  'function identityRegistry() view returns (address)',
  'function isAuthorizedContract(address) view returns (bool)',
  'function asset() view returns (address)',
  'function owner() view returns (address)',
])

const ask = (target: Address, functionName: string, args: readonly unknown[] = []): Probe => ({
  target,
  data: encodeFunctionData({ abi, functionName, args }),
  maxReturn: 32,
})

const addressOf = (answer: ProbeAnswer | undefined): Address | null =>
  answer?.outcome === 'OK' && answer.data.length === 66 ? (`0x${answer.data.slice(26)}` as Address) : null

const isYes = (answer: ProbeAnswer | undefined) =>
  answer?.outcome === 'OK' && answer.data.length === 66 && BigInt(answer.data) === 1n

interface Questions {
  readonly collateralToken: Address
  readonly borrowAsset: Address
  readonly saleRecipient: Address
  /** Whom the register of the market is asked about. */
  readonly claimants: { readonly register: Address; readonly wallets: readonly Address[] } | null
  readonly newRegisters: readonly Address[]
  readonly vault: Address | null
}

export interface AdoptionAnswers {
  readonly borrowAsset: TokenName
  /** Null: the collateral token asks no register that answers. */
  readonly mayReceive: boolean | null
  /** The first wallet that the register of the market verifies. */
  readonly claimant: Address | null
  readonly newRegisters: readonly RegisterShape[]
  readonly vault: { readonly asset: Address; readonly owner: Address } | null
}

/** Everything foreign that an adoption depends on, in one bounded call. */
export async function questionAdoption(chain: Chain, questions: Questions): Promise<AdoptionAnswers> {
  const { collateralToken, saleRecipient, claimants, newRegisters, vault } = questions
  const wallets = claimants?.wallets ?? []
  const { answers } = await probe(chain, [
    ask(collateralToken, 'identityRegistry'),
    // The register that the first answer names.
    registerProbe(0, saleRecipient),
    ask(collateralToken, 'isAuthorizedContract', [saleRecipient]),
    ...tokenProbes(questions.borrowAsset),
    ...wallets.map((wallet) => registerProbe(claimants?.register ?? wallet, wallet)),
    ...newRegisters.map((register) => registerProbe(register)),
    ...(vault ? [ask(vault, 'asset'), ask(vault, 'owner')] : []),
  ])
  const [, receives, listed, name, symbol, decimals, ...rest] = answers
  const claims = rest.splice(0, wallets.length)
  const registers = rest.splice(0, newRegisters.length)
  const [asset, owner] = rest.map(addressOf)
  return {
    borrowAsset: tokenName([name, symbol, decimals]),
    mayReceive: shapeOf(receives).usable ? isVerified(receives) || isYes(listed) : null,
    claimant: wallets.find((_, index) => isVerified(claims[index])) ?? null,
    newRegisters: registers.map(shapeOf),
    vault: asset && owner ? { asset, owner } : null,
  }
}
