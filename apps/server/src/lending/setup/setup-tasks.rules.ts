import type { ConfigureAction, SetupStepKey } from '@tallystick/wire'
import type { Address } from 'viem'
import type { Market, SignerBlock } from '../core/index.rules.ts'
import { admissionTasks, ownedBy } from './admission-tasks.rules.ts'
import type { SetupState } from './setup.reads.ts'
import type { Refusal } from './token-admission.rules.ts'
import type { TokenSide } from './token-side.reads.ts'

/** A market as the chain shows it to one instance. */
export interface SetupView {
  readonly market: Market
  readonly wallets: readonly Address[]
  /** The wallet of the instance that prices and liquidates, if it does: its first one. */
  readonly relayer: Address | null
  readonly state: SetupState
  readonly token: TokenSide
  readonly marketAdmin: SignerBlock
  readonly routerAdmin: SignerBlock
  readonly relayerLiquidates: boolean
  readonly hasLiquidator: boolean
}

export interface Authority {
  readonly requiredRole:
    | 'TOKEN_AGENT_ADMIN'
    | 'TOKEN_COMPLIANCE_ADMIN'
    | 'IDENTITY_REGISTRY_AGENT'
    | 'ORACLE_OWNER'
    | 'DEFAULT_ADMIN_ROLE'
  readonly heldByThisInstance: boolean | null
  /** Who is known to hold it, of the instance or not. */
  readonly signer: Address | null
}

/** One call that somebody has to sign before the market can work. */
export interface SetupTask extends Authority {
  readonly action: ConfigureAction
  /** Its name among the steps; null: the deployment did it, and it only has to be done again when somebody undid it. */
  readonly step: SetupStepKey | null
  readonly title: string
  readonly target: Address | null
  readonly subject: Address | null
  readonly done: boolean
  /** Not done for the instance's own wallet, but somebody else is there to do the work. */
  readonly delegated: boolean
  readonly waitsForCurator: boolean
  /** Why no call can be built as things are. */
  readonly refusal: Refusal | null
  /** Admission of a holder: it stands in the register already, so its identity is replaced. */
  readonly isRegistered: boolean
}

const noWallet: Refusal = {
  code: 'WALLET_NOT_CONFIGURED',
  message: 'Your instance has no verified wallet that the role could be given to.',
}

/** Every task of the market, done or not, in the order in which they are best done. */
export function setupTasks(view: SetupView): SetupTask[] {
  const { market, state, token, relayer, wallets } = view
  const base = { delegated: false, waitsForCurator: false, refusal: null, isRegistered: false }
  const isFreeze = market.mode === 'FREEZE'

  const agentRole: SetupTask = {
    ...base,
    action: 'grantAgentRoleToAdapter',
    step: 'grantAdapterAgentRole',
    title: 'Make the freeze adapter an agent of the collateral token',
    requiredRole: 'TOKEN_AGENT_ADMIN',
    ...ownedBy(token.owner, wallets),
    target: market.collateralToken,
    subject: market.adapter,
    done: token.adapterIsAgent === true,
    refusal: token.canFreeze
      ? null
      : { code: 'TOKEN_NOT_FREEZE_COMPATIBLE', message: 'The collateral token cannot freeze part of a balance.' },
  }

  const priceSigner: SetupTask = {
    ...base,
    action: 'authorizeRelayerOnOracle',
    step: 'authorizeOracleSigner',
    title: 'Let the wallet of your instance sign prices',
    requiredRole: 'ORACLE_OWNER',
    ...ownedBy(state.oracleOwner, wallets),
    target: market.oracle,
    subject: relayer,
    done: state.relayerSigns,
    delegated: !state.relayerSigns && state.isAdopted && state.hasSigners,
    waitsForCurator: true,
    refusal: relayer ? null : noWallet,
  }

  const ofAdmin = (block: SignerBlock) => ({
    requiredRole: 'DEFAULT_ADMIN_ROLE' as const,
    heldByThisInstance: block.heldByThisInstance,
    signer: block.signerAddress ?? state.adoption?.admin ?? null,
    waitsForCurator: true,
  })

  const routerSource: SetupTask = {
    ...base,
    action: 'authorizeOnRouter',
    step: null,
    title: 'Let the router accept seized collateral of the market',
    ...ofAdmin(view.routerAdmin),
    target: market.router,
    subject: market.address,
    done: state.routerAcceptsMarket,
  }

  const fund: SetupTask = {
    ...base,
    action: 'setInsuranceFund',
    step: null,
    title: 'Point the market to the insurance fund of its deployment',
    ...ofAdmin(view.marketAdmin),
    target: market.address,
    subject: market.insuranceFund,
    done: state.fund === market.insuranceFund,
  }

  const liquidator: SetupTask = {
    ...base,
    action: 'grantLiquidatorRole',
    step: 'grantLiquidatorRole',
    title: 'Let the wallet of your instance realize loans',
    ...ofAdmin(view.marketAdmin),
    target: market.address,
    subject: relayer,
    done: view.relayerLiquidates,
    delegated: !view.relayerLiquidates && state.isAdopted && view.hasLiquidator,
    refusal: relayer ? null : noWallet,
  }

  return [
    ...(isFreeze ? [agentRole] : admissionTasks(view, 'Adapter', market.adapter, token.adapter)),
    ...admissionTasks(view, 'Router', market.router, token.router),
    ...(state.venue && token.venue ? admissionTasks(view, 'Venue', state.venue, token.venue) : []),
    priceSigner,
    routerSource,
    fund,
    liquidator,
  ]
}
