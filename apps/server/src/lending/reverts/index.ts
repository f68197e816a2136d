import * as suite from '@tallystick/abi'
import type { Abi } from 'viem'
import { explainReverts, type RevertTable } from '../../platform/chain/reverts.ts'
import { abis } from '../contracts.ts'
import { accessReverts } from './access.ts'
import { collateralTokenErrors, collateralTokenReverts } from './collateral-token.ts'
import { lifecycleReverts } from './lifecycle.ts'
import { moneyReverts } from './money.ts'
import { realizationReverts } from './realization.ts'
import { settingsReverts } from './settings.ts'
import { unreachableReverts } from './unreachable.ts'

/** The contracts, the libraries that run inside them, and the collateral they move: all refuse in their own words. */
export const revertingAbis: readonly Abi[] = [
  ...Object.values(abis),
  collateralTokenErrors,
  suite.adoptionModuleAbi,
  suite.assetDataLedgerAbi,
  suite.borrowModuleAbi,
  suite.configModuleAbi,
  suite.curatorBookAbi,
  suite.extensionModuleAbi,
  suite.loanModuleAbi,
  suite.marketAssemblyAbi,
  suite.poolModuleAbi,
  suite.seizureModuleAbi,
  suite.settlementModuleAbi,
  suite.vaultDrawLibAbi,
  suite.venueCheckAbi,
  suite.viewModuleAbi,
]

export const lendingReverts: RevertTable = {
  ...accessReverts,
  ...lifecycleReverts,
  ...settingsReverts,
  ...moneyReverts,
  ...realizationReverts,
  ...collateralTokenReverts,
  ...unreachableReverts,
}

/** What the suite's own refusals mean to a caller. */
export const explainLending = explainReverts(revertingAbis, lendingReverts)
