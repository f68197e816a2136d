import { type Address, type Hex, zeroAddress } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { requireAddress } from '../../platform/chain/address.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { type DeployedRecord, endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { ownerBlock, roleReads, signerBlock } from '../signer.reads.ts'
import { readOr } from '../unreadable.ts'
import { roleCalls, setPriceSignerCall } from './access-role.call.ts'
import { deploymentRead, heldRead, oracleOwnerRead } from './access-role.reads.ts'
import { type AccessRole, contractOf, describeChange, placeOf, type RoleAction } from './access-role.rules.ts'
import { idOf, shownRole } from './access-role-place.ts'

interface RoleWish {
  readonly role: AccessRole
  readonly address: string
  readonly action: RoleAction
}

interface Change {
  readonly role: AccessRole
  readonly account: Address
  readonly action: RoleAction
}

/** Who may do what on the contracts of a market. */
export function createAccessRoles({ chains, intents }: LendingParts) {
  async function readRole(chain: Chain, { market, wallets }: DeployedRecord, { role, account, action }: Change) {
    const { on } = placeOf(role)
    const { block, results } = await readNamed(chain, {
      deployment: deploymentRead(market),
      held: heldRead(market, role, account, idOf(role)),
      owner: oracleOwnerRead(market),
      admins: on === 'oracle' ? [] : roleReads(contractOf(role, market), 'DEFAULT_ADMIN_ROLE', wallets),
    })
    const { deployment, held, owner, admins } = results
    if (!deployment.ok || !held.ok || !owner.ok) throw new AppError('MARKET_STATE_UNAVAILABLE')
    if (deployment.value.curator === zeroAddress) throw new AppError('MARKET_PENDING_CURATOR')
    if (on === 'oracle' && action === 'revoke' && owner.value.toLowerCase() === account)
      throw new AppError('ORACLE_OWNER_SIGNS')
    const signing =
      on === 'oracle' ? ownerBlock('ORACLE_OWNER', wallets, owner) : signerBlock('DEFAULT_ADMIN_ROLE', wallets, admins)
    return { block, isUnchanged: held.value === (action === 'grant'), signing }
  }

  function buildCall(chain: Chain, record: DeployedRecord, { role, account, action }: Change, signer: Address | null) {
    const { on } = placeOf(role)
    const target = contractOf(role, record.market)
    if (on === 'oracle') {
      const intent = { chain, pair: setPriceSignerCall, target, kind: 'oracle' }
      return intents.build(intent, { account, isAuthorized: action === 'grant' }, signer, explainLending)
    }
    const intent = { chain, pair: roleCalls[on][action], target, kind: on }
    return intents.build(intent, { role: idOf(role), account }, signer, explainLending)
  }

  async function buildFor(call: MarketCall, record: DeployedRecord, change: Change, path: string) {
    const { role, account, action } = change
    const chain = chains.get(record.market.chainId)
    const { block, isUnchanged, signing } = await readRole(chain, record, change)
    const subject = { ...shownRole(record, change), action }
    if (isUnchanged) {
      const message = action === 'grant' ? 'The role is held already.' : 'The role is not held.'
      const data = { ...subject, requiresUserAction: false as const, unchanged: true as const, txHash: null, message }
      return { block, unchanged: data }
    }
    const built = await buildCall(chain, record, change, signing.signerAddress)
    const { requiredRole, heldByThisInstance, signerAddress, note } = signing
    const description = describeChange(role, action, account)
    const step = {
      ...built.transaction,
      description,
      requiredAuthority: requiredRole ?? '',
      heldByThisInstance,
      signerAddress,
      note,
    }
    const data = {
      ...subject,
      requiresUserAction: true as const,
      simulation: built.simulation,
      message: description,
      confirmWith: {
        endpoint: endpointAt(call.mountedAt, `/markets/${record.marketId}/${path}`),
        field: 'txHash' as const,
      },
    }
    return { block, data, step, calls: [built.transaction] }
  }

  async function confirmFor(call: MarketCall, record: DeployedRecord, change: Change, txHash: string) {
    const { role, account, action } = change
    const { on } = placeOf(role)
    const chain = chains.get(record.market.chainId)
    const target = contractOf(role, record.market)
    const hash = txHash as Hex
    const { transaction, verifiedBy } =
      on === 'oracle'
        ? await intents.confirm(
            call.tenant,
            { chain, pair: setPriceSignerCall, target, kind: on },
            { account, isAuthorized: action === 'grant' },
            hash,
          )
        : await intents.confirm(
            call.tenant,
            { chain, pair: roleCalls[on][action], target, kind: on },
            { role: idOf(role), account },
            hash,
          )
    const data = {
      ...shownRole(record, change),
      action,
      unchanged: false as const,
      txHash: transaction.hash,
      ...(verifiedBy ? { verifiedBy } : {}),
      signedBy: transaction.from,
    }
    return { data, block: transaction.block }
  }

  async function prepare(call: MarketCall, marketId: string, wish: RoleWish) {
    const record = await findDeployedMarket(call, marketId)
    const account = requireAddress(wish.address)
    return { record, change: { role: wish.role, account, action: wish.action } }
  }

  return {
    async build(call: MarketCall, marketId: string, wish: RoleWish) {
      const { record, change } = await prepare(call, marketId, wish)
      const built = await readOr('MARKET_STATE_UNAVAILABLE', buildFor(call, record, change, 'access-role'))
      if (built.unchanged) return { data: built.unchanged, block: built.block }
      const { data, step, block, calls } = built
      // Clients that know the liquidator's own route find its step under the same name here.
      const also = wish.role === 'MARKET_LIQUIDATOR' ? { liquidatorRole: step } : {}
      return { data: { ...data, configurationCalldata: { accessRole: step, ...also } }, block, calls }
    },

    async buildLiquidator(call: MarketCall, marketId: string, wish: Omit<RoleWish, 'role'>) {
      const { record, change } = await prepare(call, marketId, { ...wish, role: 'MARKET_LIQUIDATOR' })
      const built = await readOr('MARKET_STATE_UNAVAILABLE', buildFor(call, record, change, 'liquidator-role'))
      if (built.unchanged) return { data: built.unchanged, block: built.block }
      const { data, step, block, calls } = built
      return { data: { ...data, configurationCalldata: { liquidatorRole: step } }, block, calls }
    },

    async confirm(call: MarketCall, marketId: string, wish: RoleWish, txHash: string) {
      const { record, change } = await prepare(call, marketId, wish)
      return confirmFor(call, record, change, txHash)
    },
  }
}

export type AccessRoles = ReturnType<typeof createAccessRoles>
