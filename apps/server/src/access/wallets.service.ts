import type { Hex } from 'viem'
import { AppError } from '../platform/app-error.ts'
import { requireAddress } from '../platform/chain/address.ts'
import type { Chains } from '../platform/chain/chains.ts'
import type { Clock } from '../platform/clock.ts'
import { type Act, type Administered, actBetween } from '../platform/db/audit.ts'
import type { Sql, TenantDatabase } from '../platform/db/database.ts'
import type { Instance } from '../platform/http/caller.ts'
import type { Random } from '../platform/random.ts'
import { verifyWalletSignature } from './signature.reads.ts'
import { CHALLENGE_TTL_MS, challengeMessage, MAX_WALLETS } from './wallet.rules.ts'
import * as store from './wallets.store.ts'

function asRecord(row: store.WalletRow) {
  return { ...row, verifiedAt: row.verifiedAt.toISOString() }
}

type WalletRecord = ReturnType<typeof asRecord>

const auditedWallet = ({ label, primary, verifiedBy }: store.WalletRow) => ({ label, primary, verifiedBy })

async function requireRoom(sql: Sql, instanceId: string, address: string): Promise<store.WalletRow[]> {
  const wallets = await store.listWallets(sql, instanceId)
  if (wallets.some((wallet) => wallet.address === address)) throw new AppError('WALLET_ALREADY_REGISTERED')
  if (wallets.length >= MAX_WALLETS) throw new AppError('WALLET_LIMIT_REACHED')
  return wallets
}

export function createWalletsService({ clock, random, chains }: { clock: Clock; random: Random; chains: Chains }) {
  return {
    async list(tenant: TenantDatabase) {
      return (await tenant.read((sql) => store.listWallets(sql, tenant.instanceId))).map(asRecord)
    },

    async challenge(tenant: TenantDatabase, instance: Instance, addressText: string) {
      const address = requireAddress(addressText)
      const issuedAt = clock.now()
      const expiresAt = new Date(issuedAt.getTime() + CHALLENGE_TTL_MS)
      const nonce = random(16).toString('hex')
      const message = challengeMessage({
        instanceId: instance.instanceId,
        chainId: instance.chainId,
        address,
        nonce,
        issuedAt,
        expiresAt,
      })
      await tenant.transaction(async (sql) => {
        await requireRoom(sql, tenant.instanceId, address)
        await store.insertChallenge(sql, tenant.instanceId, { nonce, address, message, expiresAt }, issuedAt)
      })
      return { address, nonce, message, expiresAt: expiresAt.toISOString() }
    },

    /** The signature is checked before the transaction that uses the challenge up, so a wrong one does not burn it. */
    async register(
      tenant: TenantDatabase,
      instance: Instance,
      request: { address: string; nonce: string; signature: string; label?: string },
    ): Promise<Administered<WalletRecord>> {
      const address = requireAddress(request.address)
      const [challenge] = await tenant.read((sql) =>
        store.readChallenge(sql, tenant.instanceId, request.nonce, address, clock.now()),
      )
      if (!challenge) throw new AppError('NONCE_INVALID')
      const chain = chains.get(instance.chainId)
      const verifiedBy = await verifyWalletSignature(chain, address, challenge.message, request.signature as Hex)
      if (!verifiedBy) throw new AppError('SIGNATURE_INVALID')
      const row = await tenant.transaction(async (sql) => {
        await store.lockWallets(sql, tenant.instanceId)
        const others = await requireRoom(sql, tenant.instanceId, address)
        const used = await store.useChallenge(sql, tenant.instanceId, request.nonce, address, clock.now())
        if (!used) throw new AppError('NONCE_INVALID')
        const wallet = {
          address,
          label: request.label ?? null,
          primary: others.length === 0,
          verifiedBy,
          verifiedAt: clock.now(),
        }
        return store.insertWallet(sql, tenant.instanceId, wallet)
      })
      return { data: asRecord(row), act: { subject: address, before: null, after: auditedWallet(row) } }
    },

    async promote(tenant: TenantDatabase, addressText: string): Promise<Administered<WalletRecord>> {
      const address = requireAddress(addressText)
      return tenant.transaction(async (sql) => {
        await store.lockWallets(sql, tenant.instanceId)
        const before = await store.primaryWallet(sql, tenant.instanceId)
        const row = await store.setPrimary(sql, tenant.instanceId, address)
        if (!row) throw new AppError('WALLET_NOT_FOUND')
        const act = actBetween(address, { primaryWallet: before ?? null }, { primaryWallet: address })
        return { data: asRecord(row), act }
      })
    },

    async remove(tenant: TenantDatabase, addressText: string): Promise<Administered<{ removed: true }>> {
      const address = requireAddress(addressText)
      return tenant.transaction(async (sql) => {
        await store.lockWallets(sql, tenant.instanceId)
        const removed = await store.deleteWallet(sql, tenant.instanceId, address)
        if (!removed) throw new AppError('WALLET_NOT_FOUND')
        const heir = removed.primary ? await store.oldestWallet(sql, tenant.instanceId) : undefined
        if (heir) await store.setPrimary(sql, tenant.instanceId, heir)
        const act: Act = {
          subject: address,
          before: auditedWallet(removed),
          after: heir ? { primaryWallet: heir } : null,
        }
        return { data: { removed: true }, act }
      })
    },
  }
}
