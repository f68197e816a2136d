import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Address, type Hex, zeroAddress } from 'viem'
import type { ConfirmedEffect } from '../../intents/index.ts'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError, fieldError } from '../../platform/app-error.ts'
import type { Block } from '../../platform/chain/block.ts'
import type { CallPair, Effect } from '../../platform/chain/call-pair.ts'
import { allValues, contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import { endpointAt } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { optionalAddress } from '../request-fields.ts'
import { explainLending } from '../reverts/index.ts'
import { assetOf, findOwnVault, type VaultCall } from './own-vault.service.ts'
import { collectFeesCall, payDistributorCall, payOperatorCall } from './vault-money.call.ts'
import type { OwnVault } from './vaults.store.ts'

type CollectBody = BodyOf<typeof lendingOperations.collectDistributorFees>
type PayBody = BodyOf<typeof lendingOperations.payDistributor>

const NOTE =
  'Any wallet may sign; the signer gets nothing. Paid is what is owed when the transaction is mined, which can be more than quoted here.'

/** Fees of a vault on their way from the markets to distributors and the owner. Anybody may move them. */
export function createVaultFees({ chains, intents }: LendingParts) {
  const shown = ({ assetDecimals }: OwnVault, raw: bigint) => ({
    amount: formatUnits(raw, assetDecimals),
    amountRaw: raw.toString(),
  })

  async function build<A, X>(
    { vault, block }: { vault: OwnVault; block: Block },
    pair: CallPair<A, Effect, X>,
    args: A,
    words: { readonly raw: bigint; readonly recipient: Address; readonly what: string },
  ) {
    if (words.raw === 0n) throw new AppError('NOTHING_ACCRUED')
    const intent = { chain: chains.get(Number(vault.chainId)), pair, target: vault.address, kind: 'vault' }
    const built = await intents.build(intent, args, null, explainLending)
    const { amount, amountRaw } = shown(vault, words.raw)
    const data = {
      ...built,
      description: `${words.what} ${amount} ${vault.assetSymbol}.`,
      permissionless: true as const,
      requiredRole: null,
      requiredSigner: null,
      note: NOTE,
      vaultAddress: vault.address,
      recipient: words.recipient,
      amount,
      amountRaw,
      asset: assetOf(vault),
    }
    return { data, block, calls: [built.transaction] }
  }

  const confirmed = (vault: OwnVault, { effect, transaction, verifiedBy }: ConfirmedEffect<Effect>) => ({
    txHash: transaction.hash,
    ...(verifiedBy ? { verifiedBy } : {}),
    signer: transaction.from,
    vaultAddress: vault.address,
    ...shown(vault, BigInt(String(effect.amount))),
    asset: assetOf(vault),
    at: new Date(transaction.block.time * 1000).toISOString(),
  })

  async function confirm<A, X>(
    call: VaultCall,
    vaultAddress: string,
    pair: CallPair<A, Effect, X>,
    expected: X,
    txHash: string,
  ) {
    const vault = await findOwnVault(call, vaultAddress)
    const intent = { chain: chains.get(call.chainId), pair, target: vault.address, kind: 'vault' }
    const proof = await intents.confirm(call.tenant, intent, expected, txHash as Hex)
    return { facts: confirmed(vault, proof), effect: proof.effect, block: proof.transaction.block }
  }

  const endpoint = (call: VaultCall, { address }: OwnVault, rest: string) =>
    endpointAt(call.mountedAt, `/vaults/${address}/${rest}`)

  /** Who of these is owed something; the first wins. */
  async function findOwed(vault: OwnVault, distributors: readonly Address[]) {
    const { block, results } = await chains
      .get(Number(vault.chainId))
      .read(distributors.map((one) => contractRead(vault.address, abis.vault, 'distributorFeesOf', [one])))
    const owed = allValues(results)
    if (!owed) throw new AppError('VAULT_STATE_UNAVAILABLE')
    const index = Math.max(
      owed.findIndex((raw) => raw > 0n),
      0,
    )
    return { block, distributor: distributors[index], raw: owed[index] ?? 0n }
  }

  return {
    collect: {
      async build(call: VaultCall, vaultAddress: string, body: CollectBody) {
        const vault = await findOwnVault(call, vaultAddress)
        const market = optionalAddress('marketAddress', body.marketAddress)
        if (!market) throw fieldError('VALIDATION_ERROR', [{ field: 'marketAddress', message: 'is required' }])
        const { block, results } = await chains
          .get(call.chainId)
          .read([
            contractRead(vault.address, abis.vault, 'markets', []),
            contractRead(market, abis.market, 'distributorFeesPayable', [vault.address]),
          ])
        const [markets, payable] = results
        if (!markets.ok) throw new AppError('VAULT_STATE_UNAVAILABLE')
        if (!markets.value.some((one) => one.toLowerCase() === market)) throw new AppError('MARKET_NOT_KNOWN')
        if (!payable.ok) throw new AppError('VAULT_STATE_UNAVAILABLE')
        const words = { raw: payable.value, recipient: vault.address, what: 'Fetches the fees of a market:' }
        const built = await build({ vault, block }, collectFeesCall, { market }, words)
        const confirmWith = {
          endpoint: endpoint(call, vault, 'distributor-fees/collect'),
          field: 'txHash' as const,
          body: { marketAddress: market, txHash: null },
        }
        return { ...built, data: { ...built.data, marketAddress: market, confirmWith } }
      },
      async confirm(call: VaultCall, vaultAddress: string, body: CollectBody & { txHash: string }) {
        const market = optionalAddress('marketAddress', body.marketAddress)
        const expected = market ? { market } : {}
        const { facts, effect, block } = await confirm(call, vaultAddress, collectFeesCall, expected, body.txHash)
        const events: 'COLLECTED'[] = ['COLLECTED']
        const marketAddress = String(effect.market)
        return { data: { ...facts, action: 'collect' as const, events, marketAddress }, block }
      },
    },

    pay: {
      async build(call: VaultCall, vaultAddress: string, body: PayBody) {
        const vault = await findOwnVault(call, vaultAddress)
        const named = optionalAddress('distributor', body.distributor)
        const { block, distributor, raw } = await findOwed(vault, named ? [named] : vault.wallets)
        if (!distributor) throw new AppError('NOTHING_ACCRUED')
        const words = { raw, recipient: distributor, what: 'Pays a distributor' }
        const built = await build({ vault, block }, payDistributorCall, { distributor }, words)
        const confirmWith = {
          endpoint: endpoint(call, vault, 'distributor-fees/pay'),
          field: 'txHash' as const,
          body: { distributor, txHash: null },
        }
        return { ...built, data: { ...built.data, distributor, confirmWith } }
      },
      async confirm(call: VaultCall, vaultAddress: string, body: PayBody & { txHash: string }) {
        const distributor = optionalAddress('distributor', body.distributor)
        const expected = distributor ? { distributor } : {}
        const { facts, effect, block } = await confirm(call, vaultAddress, payDistributorCall, expected, body.txHash)
        const events: 'PAID'[] = ['PAID']
        return { data: { ...facts, action: 'pay' as const, events, distributor: String(effect.distributor) }, block }
      },
    },

    operator: {
      async build(call: VaultCall, vaultAddress: string) {
        const vault = await findOwnVault(call, vaultAddress)
        const { block, results } = await chains
          .get(call.chainId)
          .read([
            contractRead(vault.address, abis.vault, 'owner', []),
            contractRead(vault.address, abis.vault, 'distributorFeesOf', [zeroAddress]),
          ])
        const [owner, owed] = results
        if (!owner.ok || !owed.ok) throw new AppError('VAULT_STATE_UNAVAILABLE')
        const recipient = owner.value.toLowerCase() as Address
        const words = { raw: owed.value, recipient, what: 'Pays the owner of the vault' }
        const built = await build({ vault, block }, payOperatorCall, {}, words)
        const confirmWith = { endpoint: endpoint(call, vault, 'operator-fees/pay'), field: 'txHash' as const }
        return { ...built, data: { ...built.data, confirmWith } }
      },
      async confirm(call: VaultCall, vaultAddress: string, txHash: string) {
        const { facts, effect, block } = await confirm(call, vaultAddress, payOperatorCall, {}, txHash)
        const events: 'OPERATOR_PAID'[] = ['OPERATOR_PAID']
        return { data: { ...facts, action: 'operator' as const, events, recipient: String(effect.operator) }, block }
      },
    },
  }
}

export type VaultFees = ReturnType<typeof createVaultFees>
