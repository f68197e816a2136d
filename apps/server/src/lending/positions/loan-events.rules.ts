/** Above every number that a market counts to. */
export const BELOW_ALL = '9'.repeat(15)

/** The contracts of a market whose events tell of its loans. */
export interface LoanContracts {
  readonly chainId: number
  readonly address: string
  readonly oracle: string
  readonly adapter: string
  readonly router: string
}

/** An event of a loan, or of a realization of it. */
export interface LoanEvent {
  readonly operation: string
  readonly effect: Readonly<Record<string, string>>
  readonly txHash: string
  readonly logIndex: number
  readonly blockTime: number
  /** Orders events as they happened. */
  readonly place: string
  readonly sender: string
  readonly recorded: boolean
}

/** A wallet that a loan was moved to, after the one before it was lost. */
export interface Rebound {
  readonly wallet: string
  readonly place: string
}

/** Events of a market that name a loan and change what is known of it. */
export const loanOperations = [
  'LoanOpened',
  'LoanPayeeSet',
  'LoanIncreased',
  'OpenFeeCharged',
  'LoanRepaid',
  'RepayFeeCharged',
  'CollateralAdded',
  'CollateralWithdrawn',
  'CollateralSplit',
  'CollateralMissing',
  'LoanClosed',
  'LoanRebound',
  'LoanLiquidated',
  'LiquidationDebtApplied',
  'SurplusReturned',
  'SurplusEscrowed',
  'ExtensionApplied',
].map((event) => `market.${event}`)

/** Events of a market and its router that name only a realization. */
export const realizationOperations = [
  'market.WrittenOffAtSeizure',
  'market.ReserveDrawn',
  'market.AuctionProceedsHeld',
  'market.RealizationSettled',
  'market.LateProceeds',
  'market.RealizationWrittenOff',
  'router.CollateralReceived',
  'router.LiquidationSettled',
]
