import type { BodyOf, lendingOperations } from '@tallystick/wire'
import type { Address, Hex } from 'viem'
import { formatUnits, parseUnits } from '../../platform/amounts.rules.ts'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { requireAddress } from '../../platform/chain/address.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readTransaction } from '../../platform/chain/transaction.ts'
import { asShapeB } from '../built.ts'
import { abis } from '../contracts.ts'
import { endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { ownerBlock } from '../signer.reads.ts'
import { confirmedFacts } from './admin-writes.service.ts'
import { announceDrawCapCall, cancelAnnouncementCall, setDrawCapCall } from './vault.call.ts'
import { ANNOUNCEMENT_WAIT, announcementOf, type CapStep, capStep, instant } from './vaults.rules.ts'
import * as store from './vaults.store.ts'

type CapBody = BodyOf<typeof lendingOperations.setDrawCap>
type CapCall = MarketCall & { readonly chainId: number }

export function requireCap(text: string, decimals: number): bigint {
  const raw = parseUnits(text, decimals)
  if (raw === null)
    throw fieldError('VALIDATION_ERROR', [
      { field: 'cap', message: `must be a decimal with at most ${decimals} decimals, or 0` },
    ])
  return raw
}

const pairs = { SET: setDrawCapCall, ANNOUNCE: announceDrawCapCall, CANCEL: cancelAnnouncementCall } as const

const describe = {
  SET: (cap: string) => `Lets the market hold at most ${cap} of the vault.`,
  ANNOUNCE: (cap: string) =>
    `Announces that the market may hold ${cap} of the vault. Ask again when 14 days have passed: within the 14 days after that the cap can be set.`,
  CANCEL: () => 'Takes back what was announced for the market.',
} as const

/** Which of the steps a transaction took; the event of the vault tells. */
async function stepOf(chain: Chain, vault: Address, market: Address, hash: Hex): Promise<CapStep> {
  const mined = await readTransaction(chain, hash.toLowerCase() as Hex)
  const took = (step: CapStep) =>
    pairs[step].settle(vault, mined?.logs ?? []).some(({ effect }) => pairs[step].isFor(effect, { market }))
  // A lower cap also ends what was announced, so the cap itself is looked for first.
  return (['SET', 'ANNOUNCE', 'CANCEL'] as const).find(took) ?? 'SET'
}

/** What the owner of a vault lets a market have of it. */
export function createDrawCap({ chains, intents }: LendingParts) {
  async function find({ tenant, mountedAt, chainId }: CapCall, vaultAddress: string, marketId: string) {
    const address = requireAddress(vaultAddress)
    const [vault] = await tenant.read((sql) => store.findVault(sql, tenant.instanceId, chainId, address))
    if (!vault) throw new AppError('VAULT_NOT_FOUND')
    const { market, wallets } = await findDeployedMarket({ tenant, mountedAt }, marketId)
    return { vault, market, wallets, chain: chains.get(chainId) }
  }

  /** The cap and what was announced, and whether the vault announces at all. */
  async function ask(chain: Chain, vault: Address, market: Address) {
    const { block, results } = await chain.read([
      contractRead(vault, abis.vault, 'drawCapOf', [market]),
      contractRead(vault, abis.vault, 'owner', []),
      contractRead(vault, abis.vault, 'announcementOf', [market]),
    ])
    const [previous, owner, announced] = results
    if (!previous.ok) throw new AppError('VAULTS_UNREADABLE')
    return {
      block,
      previous: previous.value,
      owner,
      announcement: announced.ok ? announcementOf(announced.value) : null,
    }
  }

  return {
    async build(call: CapCall, vaultAddress: string, body: CapBody) {
      const { vault, market, wallets, chain } = await find(call, vaultAddress, body.marketId)
      if (body.cap === undefined) throw fieldError('VALIDATION_ERROR', [{ field: 'cap', message: 'is required' }])
      const cap = requireCap(body.cap, vault.assetDecimals)
      if (vault.asset !== market.borrowAsset) throw new AppError('ASSET_MISMATCH')
      const { block, previous, owner, announcement } = await ask(chain, vault.address, market.address)
      const amount = (raw: bigint) => formatUnits(raw, vault.assetDecimals)
      const step = capStep({ cap, previous, announcement, now: block.time })
      if (step === 'WAIT')
        throw new AppError('ANNOUNCEMENT_PENDING', {
          extra: {
            details: { cap: amount(announcement?.cap ?? 0n), readyAt: instant(announcement?.readyAt ?? 0) },
          },
        })
      const pair = pairs[step]
      const signer = ownerBlock('OWNER', wallets, owner)
      const intent = { chain, pair, target: vault.address, kind: 'vault' }
      const args = { market: market.address, cap }
      const built = await intents.build(intent, args, signer.requiredSigner, explainLending)
      const data = {
        ...asShapeB(built),
        ...signer,
        description: describe[step](`${amount(cap)} ${vault.assetSymbol}`),
        vaultAddress: vault.address,
        marketId: body.marketId,
        marketAddress: market.address,
        cap: amount(cap),
        capRaw: cap.toString(),
        previousCapRaw: previous.toString(),
        step,
        readyAt: step === 'ANNOUNCE' ? instant(block.time + ANNOUNCEMENT_WAIT) : null,
        confirmWith: {
          endpoint: endpointAt(call.mountedAt, `/vaults/${vault.address}/draw-cap`),
          field: 'txHash' as const,
          body: { marketId: body.marketId, txHash: null },
        },
      }
      return { data, block, calls: [built.transaction] }
    },

    async confirm(call: CapCall, vaultAddress: string, body: CapBody & { txHash: string }) {
      const { vault, market, chain } = await find(call, vaultAddress, body.marketId)
      const expected = {
        market: market.address,
        ...(body.cap === undefined ? {} : { cap: requireCap(body.cap, vault.assetDecimals) }),
      }
      const step = await stepOf(chain, vault.address, market.address, body.txHash as Hex)
      const pair = pairs[step]
      const intent = { chain, pair, target: vault.address as Address, kind: 'vault' }
      const proof = await intents.confirm(call.tenant, intent, expected, body.txHash as Hex)
      const cap = BigInt(String(proof.effect.cap ?? 0))
      const data = {
        ...confirmedFacts(pair, proof),
        vaultAddress: vault.address,
        marketId: body.marketId,
        marketAddress: market.address,
        cap: formatUnits(cap, vault.assetDecimals),
        capRaw: cap.toString(),
        step,
        readyAt: step === 'ANNOUNCE' ? instant(Number(proof.effect.readyAt)) : null,
      }
      return { data, block: proof.transaction.block }
    },
  }
}

export type DrawCap = ReturnType<typeof createDrawCap>
