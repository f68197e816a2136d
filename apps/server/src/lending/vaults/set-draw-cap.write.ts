import { lendingOperations } from '@tallystick/wire'
import type { Address } from 'viem'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import type { TypedCall } from '../../platform/chain/typed-call.ts'
import { requireUnits } from '../../platform/values/amounts.ts'
import { type Asked, writesOf } from '../../writes/index.ts'
import { abis } from '../contracts.ts'
import { at, type DeployedRecord, findDeployedMarket, ownerBlock } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { confirmedFacts } from './confirmed-facts.ts'
import { findVaultSubject, onVault, type VaultOperation, type VaultSubject } from './vault-write.ts'
import { ANNOUNCEMENT_WAIT, announcementOf, type CapStep, capStep, instant } from './vaults.rules.ts'

/** A vault, and the market that the body names. */
interface CapSubject extends VaultSubject, Pick<DeployedRecord, 'marketId' | 'market' | 'wallets'> {}

const capWrite = writesOf<VaultOperation, LendingParts, CapSubject>({
  ...onVault,
  async find(parts, asked: Asked) {
    const subject = await findVaultSubject(parts, asked)
    const { marketId, market, wallets } = await findDeployedMarket(asked, String(asked.body.marketId))
    return { ...subject, marketId, market, wallets }
  },
}).of

const set = at('vault', 'setDrawCap', 'DrawCapSet')
/** A higher cap of a vault of the second generation waits: this starts the wait. */
const announce = at('vault', 'announceDrawCap', 'DrawCapAnnounced')
/** Nothing is announced any more: as a cap of nothing for a market that has none yet. */
const cancel = at('vault', 'cancelAnnouncement', 'AnnouncementCancelled')

type EffectOf<C> = C extends TypedCall<never, infer Fields> ? Fields : never
const otherSteps: readonly TypedCall<never, EffectOf<typeof announce> | EffectOf<typeof cancel>>[] = [announce, cancel]

type CapEffect = EffectOf<typeof set> | EffectOf<typeof announce> | EffectOf<typeof cancel>

/** Which step it was, by what its event says. */
function stepIn(effect: CapEffect): { step: CapStep; cap: bigint; readyAt: string | null } {
  if ('readyAt' in effect) return { step: 'ANNOUNCE', cap: effect.cap, readyAt: instant(Number(effect.readyAt)) }
  return 'cap' in effect ? { step: 'SET', cap: effect.cap, readyAt: null } : { step: 'CANCEL', cap: 0n, readyAt: null }
}

const describe = {
  SET: (cap: string) => `Lets the market hold at most ${cap} of the vault.`,
  ANNOUNCE: (cap: string) =>
    `Announces that the market may hold ${cap} of the vault. Ask again when 14 days have passed: within the 14 days after that the cap can be set.`,
  CANCEL: () => 'Takes back what was announced for the market.',
} as const

function plan(step: CapStep, vault: Address, market: Address, cap: bigint) {
  if (step === 'SET') return { args: { market, cap } }
  return step === 'ANNOUNCE'
    ? { instead: { call: announce.prepare(vault, { market, cap }), functionName: announce.functionName } }
    : { instead: { call: cancel.prepare(vault, { market }), functionName: cancel.functionName } }
}

/** What the owner of a vault lets a market have of it. */
export const setDrawCap = capWrite(lendingOperations.setDrawCap, {
  call: set,
  orCalls: otherSteps,
  shape: 'flat',

  async build({ vault, marketId, market, wallets, chain, cash, body, refuse }) {
    const cap = requireUnits('cap', body.cap, vault.assetDecimals)
    if (vault.asset !== market.borrowAsset) throw refuse('ASSET_MISMATCH')
    const { block, results } = await readNamed(chain, {
      previous: contractRead(vault.address, abis.vault, 'drawCapOf', [market.address]),
      owner: contractRead(vault.address, abis.vault, 'owner', []),
      announced: contractRead(vault.address, abis.vault, 'announcementOf', [market.address]),
    })
    const { previous, owner, announced } = results
    if (!previous.ok) throw refuse('VAULTS_UNREADABLE')
    // A vault of the first generation announces nothing.
    const announcement = announced.ok ? announcementOf(announced.value) : null
    const step = capStep({ cap, previous: previous.value, announcement, now: block.time })
    if (step === 'WAIT')
      throw refuse('ANNOUNCEMENT_PENDING', {
        extra: { details: { cap: cash(announcement?.cap ?? 0n), readyAt: instant(announcement?.readyAt ?? 0) } },
      })
    const signing = ownerBlock('OWNER', wallets, owner)
    return {
      block,
      signer: signing.requiredSigner,
      ...plan(step, vault.address, market.address, cap),
      confirmWith: { marketId },
      answer: {
        ...signing,
        description: describe[step](`${cash(cap)} ${vault.assetSymbol}`),
        vaultAddress: vault.address,
        marketId,
        marketAddress: market.address,
        cap: cash(cap),
        capRaw: cap.toString(),
        previousCapRaw: previous.value.toString(),
        step,
        readyAt: step === 'ANNOUNCE' ? instant(block.time + ANNOUNCEMENT_WAIT) : null,
      },
    }
  },

  expect({ vault, market, body }, functionName) {
    const cap = body.cap === undefined ? undefined : requireUnits('cap', body.cap, vault.assetDecimals)
    const saysNoCap = functionName === cancel.functionName && cap === 0n
    return { market: market.address, cap: saysNoCap ? undefined : cap }
  },

  async along({ functionName, transaction }, { vault, market, refuse }) {
    const isFor = { market: market.address }
    const setToo = set.settle(vault.address, transaction.logs).some(({ effect }) => set.isFor(effect, isFor))
    // A lower cap also ends what was announced: then it was the cap that was set, to another one than expected.
    if (functionName === cancel.functionName && setToo) throw refuse('TX_NOT_VERIFIED')
    return { seen: undefined }
  },

  proven(proof, { vault, marketId, market, cash }) {
    const { cap, ...step } = stepIn(proof.effect)
    return {
      ...confirmedFacts(proof),
      vaultAddress: vault.address,
      marketId,
      marketAddress: market.address,
      cap: cash(cap),
      capRaw: cap.toString(),
      ...step,
    }
  },
})
