import type { DataOf, lendingOperations } from '@tallystick/wire'
import { type Address, zeroAddress } from 'viem'
import type { Market } from '../core/index.rules.ts'

type TransactionType = DataOf<typeof lendingOperations.listMarketTransactions>['transactions'][number]['txType']

/** One kind of line: which event makes it, and where in the event its figures are. */
export interface LineKind {
  readonly operation: string
  readonly txType: TransactionType
  /** Arguments whose sum is the amount. None: `fixed`, or nothing moved. */
  readonly amounts: readonly string[]
  readonly unit: 'asset' | 'collateral' | 'none'
  /** The argument that names who it concerns. None: the borrower of the loan, or else who sent the transaction. */
  readonly account: string | null
  /** The event names a loan. */
  readonly ofLoan: boolean
  /** The amount of a line that says on or off. */
  readonly fixed: string
  /** The line is made only when this argument has, or has not, this value. */
  readonly when: { readonly field: string; readonly value: string; readonly is: boolean } | null
}

type Rest = Partial<Omit<LineKind, 'operation' | 'txType' | 'amounts'>>

const line = (
  operation: string,
  txType: TransactionType,
  amounts: readonly string[] = [],
  rest: Rest = {},
): LineKind => ({
  operation,
  txType,
  amounts,
  unit: amounts.length > 0 ? 'asset' : 'none',
  account: null,
  ofLoan: false,
  fixed: '0',
  when: null,
  ...rest,
})

const loan = { ofLoan: true } as const
const pledge = { ofLoan: true, unit: 'collateral' } as const
const to = (account: string) => ({ account })
const onOff = (operation: string, txType: TransactionType, field: string): LineKind[] =>
  [true, false].map((is) => line(operation, txType, [], { fixed: is ? '1' : '0', when: { field, value: 'true', is } }))
const handedOver = (operation: string): LineKind =>
  line(operation, 'CONTROLLER_TRANSFER_COMPLETE', [], {
    ...to('newOwner'),
    when: { field: 'previousOwner', value: zeroAddress, is: false },
  })

/** Which events are lines of a market's ledger. An event that makes two lines stands twice, in the order they happen. */
export const lineKinds = ({ address }: Pick<Market, 'address'>): LineKind[] => [
  line('market.LoanOpened', 'DEPOSIT', ['collateral'], { ...pledge, ...to('borrower') }),
  line('market.LoanOpened', 'BORROW', ['principal'], { ...loan, ...to('borrower') }),
  line('market.LoanIncreased', 'BORROW', ['amount'], loan),
  line('market.OpenFeeCharged', 'OPEN_FEE', ['fee'], loan),
  line('market.LoanRepaid', 'REPAY', ['principal', 'interest'], { ...loan, ...to('payer') }),
  line('market.RepayFeeCharged', 'REPAY_FEE', ['fee'], loan),
  line('market.CollateralAdded', 'COLLATERAL_ADDED', ['amount'], pledge),
  line('market.CollateralWithdrawn', 'COLLATERAL_WITHDRAWN', ['amount'], pledge),
  line('market.LoanClosed', 'CLOSE', ['collateralReturned'], pledge),
  line('custodyAdapter.CollateralEscrowed', 'COLLATERAL_ESCROWED', ['amount'], { unit: 'collateral', ...to('holder') }),

  line('market.LoanLiquidated', 'LIQUIDATION', ['claim'], loan),
  line('venue.AuctionBid', 'AUCTION_BID', ['paid'], to('bidder')),
  line('router.CollateralReceived', 'COLLATERAL_ROUTED', ['amount'], { unit: 'collateral', ...to('from') }),
  line('router.CollateralWithdrawnForSale', 'COLLATERAL_WITHDRAWN_FOR_SALE', ['amount'], {
    unit: 'collateral',
    ...to('recipient'),
  }),
  line('router.PartialSaleReported', 'PARTIAL_SALE', ['proceeds']),
  line('router.LiquidationSettled', 'LIQUIDATION_SETTLED', ['proceeds']),
  line('router.LiquidationReopened', 'LIQUIDATION_REOPENED', ['collateralRemaining'], { unit: 'collateral' }),
  line('market.ReserveDrawn', 'RESERVE_DRAWN', ['covered']),
  line('market.RealizationWrittenOff', 'LIQUIDATION_WRITTEN_OFF', ['claim']),
  line('market.SurplusReturned', 'SURPLUS_RETURNED', ['amount'], { ...loan, ...to('borrower') }),
  line('market.SurplusEscrowed', 'SURPLUS_ESCROWED', ['amount'], { ...loan, ...to('borrower') }),
  line('market.SurplusClaimed', 'SURPLUS_CLAIMED', ['amount'], to('borrower')),

  line('market.LiquidityAdded', 'SUPPLY', ['amount'], to('provider')),
  line('market.VaultDrawn', 'SUPPLY', ['amount'], to('vault')),
  line('market.LiquidityRemoved', 'WITHDRAW', ['amount'], to('provider')),
  line('market.OperatorFeePaid', 'OPERATOR_FEES_SWEPT', ['amount'], to('recipient')),
  line('market.DistributorFeePaid', 'DISTRIBUTOR_FEES_SWEPT', ['amount'], to('provider')),
  line('market.ProtocolFeePaid', 'PROTOCOL_FEES_SWEPT', ['amount'], to('fund')),
  line('market.InfrastructureFeePaid', 'INFRASTRUCTURE_FEES_SWEPT', ['amount'], to('recipient')),
  ...[true, false].map((is) =>
    // What the market itself pays into its fund was booked before; anybody else's payment tops it up.
    line('fund.FundsAdded', is ? 'INSURANCE_TOPUP_BOOKED' : 'INSURANCE_TOPUP', ['amount'], {
      ...to('source'),
      when: { field: 'source', value: address, is },
    }),
  ),

  line('oracle.PriceUpdated', 'ORACLE_SYNC', ['newPrice'], to('updater')),
  line('market.MarketAdopted', 'CURATOR_ACCEPTED', [], to('operator')),
  line('market.ConfigUpdated', 'CONFIGURATION'),
  line('market.TermConfigUpdated', 'CONFIGURATION'),
  line('market.ReserveRatioUpdated', 'CONFIGURATION'),
  line('market.AllowExtensionUpdated', 'CONFIGURATION'),
  line('market.AuctionModuleUpdated', 'CONFIGURATION'),
  line('market.InsuranceFundUpdated', 'CONFIGURATION'),
  line('market.IdentityGatesUpdated', 'IDENTITY_GATES_SET'),
  ...onOff('market.VaultLiquidityUpdated', 'VAULT_LIQUIDITY_SET', 'isEnabled'),
  line('market.VaultRegistered', 'VAULT_REGISTERED', [], to('vault')),
  line('market.VaultDeregistered', 'VAULT_DEREGISTERED', [], to('vault')),
  line('market.Paused', 'MARKET_PAUSE_STATE', [], { ...to('account'), fixed: '1' }),
  line('market.Unpaused', 'MARKET_PAUSE_STATE', [], to('account')),
  handedOver('oracle.OwnershipTransferred'),
  handedOver('rateModel.OwnershipTransferred'),
  handedOver('fund.OwnershipTransferred'),
]

/** The contracts whose events are the market's, besides the venues that it ever named. */
export const contractsOf = (market: Market): Address[] => [
  market.address,
  market.oracle,
  market.rateModel,
  market.insuranceFund,
  market.adapter,
  market.router,
]
