import type { Address } from 'viem'
import { AppError } from '../platform/app-error.ts'
import { parseAddress } from '../platform/chain/address.ts'
import type { Clock } from '../platform/clock.ts'
import { actBetween, operate } from '../platform/db/audit.ts'
import type { Database, Sql } from '../platform/db/database.ts'
import { isUuid } from '../platform/ids.ts'
import { dayOf } from './day.rules.ts'
import { dropReserved, findPending } from './nonces.store.ts'
import * as store from './relayers.store.ts'
import { createSigners, isSigningFault, type RelayerKeys } from './signers.ts'

/** Where the key is: in a file of the folder of keystores, or with a signer. */
export type KeyRequest =
  | { readonly keystoreFile: string; readonly passwordFile: string | null }
  | { readonly remoteUrl: string; readonly address: string }

const refuse = (detail: string) => new AppError('RELAYER_NOT_CONFIGURED', { detail })

function requireSignerUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw refuse(`"${text}" is not an http(s) URL.`)
  if (url.username || url.password) throw refuse('The URL of a signer holds no password: it is stored as it is.')
  return text
}

/** Where a key is, never the key. */
function audited({ chainId, address, keystoreFile, passwordFile, remoteUrl }: store.NewRelayer) {
  return { chainId: Number(chainId), address, keystoreFile, passwordFile, remoteUrl }
}

/** Sets relayers up. Serves the CLI, never HTTP: whoever holds an API key must not choose which key signs. */
export function createRelayerOperator(database: Database, { clock, keys }: { clock: Clock; keys: RelayerKeys }) {
  const signers = createSigners(keys)
  const asOperator = <T>(work: (sql: Sql) => Promise<T>) => database.as('tally_operator', work)

  async function chainOf(instanceId: string): Promise<bigint> {
    const [found] = isUuid(instanceId) ? await asOperator((sql) => store.findInstanceChain(sql, instanceId)) : []
    if (!found) throw refuse(`There is no instance ${instanceId}.`)
    return found.chainId
  }

  async function sourceOf(request: KeyRequest) {
    if ('remoteUrl' in request) {
      const address = parseAddress(request.address)
      if (!address) throw refuse(`This is no address: "${request.address}".`)
      return { address, keystoreFile: null, passwordFile: null, remoteUrl: requireSignerUrl(request.remoteUrl) }
    }
    const { keystoreFile, passwordFile } = request
    try {
      return {
        address: await signers.addressOf(keystoreFile, passwordFile),
        keystoreFile,
        passwordFile,
        remoteUrl: null,
      }
    } catch (error) {
      if (!isSigningFault(error)) throw error
      throw refuse(`The key cannot be used: ${error.message}.`)
    }
  }

  /** What is on its way can be replaced only with the key that signed it. */
  async function requireIdle(
    sql: Sql,
    account: { chainId: bigint; address: Address },
    abandon: boolean,
  ): Promise<void> {
    const { pending } = await findPending(sql, account)
    if (pending > 0 && !abandon)
      throw refuse(
        `${pending} transactions of ${account.address} are not mined yet. Freeze the relayer and wait, or add --abandon.`,
      )
    await dropReserved(sql, account)
  }

  function shown(row: store.RelayerRow & store.RelayerUse) {
    const { usedToday, pending } = row
    return {
      instanceId: row.instanceId,
      chainId: row.chainId,
      address: row.address,
      ...(row.remoteUrl === null
        ? { keystoreFile: row.keystoreFile, passwordFile: row.passwordFile }
        : { remoteUrl: row.remoteUrl }),
      dailyTxLimit: row.dailyTxLimit,
      maxGasPerTx: row.maxGasPerTx,
      frozen: row.frozenAt !== null,
      usedToday,
      pending,
    }
  }

  async function show(instanceId: string) {
    await chainOf(instanceId)
    const { start } = dayOf(clock.now())
    const [row] = await asOperator((sql) => store.findRelayerInUse(sql, instanceId, start))
    if (!row) throw refuse(`Instance ${instanceId} has no relayer.`)
    return shown(row)
  }

  return {
    async set(instanceId: string, request: KeyRequest, abandon: boolean) {
      const chainId = await chainOf(instanceId)
      const source = await sourceOf(request)
      await operate(database, { operation: 'setRelayer', instanceId }, async (sql) => {
        const before = await store.lockRelayer(sql, instanceId)
        if (before && before.address !== source.address) await requireIdle(sql, before, abandon)
        const [holder] = await store.findHolder(sql, chainId, source.address)
        if (holder && holder.instanceId !== instanceId)
          throw refuse(`${source.address} is the relayer of instance ${holder.instanceId} already.`)
        const relayer = { instanceId, chainId, ...source }
        await store.putRelayer(sql, relayer, clock.now())
        const after = audited(relayer)
        const act = before
          ? actBetween(source.address, audited(before), after)
          : { subject: source.address, before: null, after }
        return { data: undefined, act }
      })
      return show(instanceId)
    },
    show,
    async remove(instanceId: string, abandon: boolean) {
      await chainOf(instanceId)
      return operate(database, { operation: 'removeRelayer', instanceId }, async (sql) => {
        const before = await store.lockRelayer(sql, instanceId)
        if (!before) throw refuse(`Instance ${instanceId} has no relayer.`)
        await requireIdle(sql, before, abandon)
        await store.deleteRelayer(sql, instanceId)
        const act = { subject: before.address, before: audited(before), after: null }
        return { data: { instanceId, removed: true }, act }
      })
    },
  }
}
