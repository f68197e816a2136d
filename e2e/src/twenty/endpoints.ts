import type { Demo } from '../demo/demo.ts'
import { labelled } from '../demo/demo-file.ts'
import { requireUsable, sign, type Trial } from './trial.ts'

export interface Endpoint {
  /** Its section in the interface. */
  readonly number: string
  readonly name: string
  run(trial: Trial): Promise<void>
}

const DAY_MS = 86_400_000
const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10)
const units = (amount: string): number => Number(amount) / 1_000_000

/** A loan of the custody market that is far from every limit. */
function healthyLoan(demo: Demo) {
  const { loans } = labelled(demo.file.markets, 'custody', 'market')
  return { loanId: labelled(loans, 'healthy', 'loan of the market custody'), wallet: demo.wallet('Borrower') }
}

/** Whose claim and proof are there to be revoked, and who is there to be removed. */
const triedWallet = (demo: Demo) => demo.wallet('Lender of record').account.address

export const endpoints: readonly Endpoint[] = [
  {
    number: '4.1',
    name: 'List imports',
    async run({ demo, ask }) {
      const list = () => demo.tally('issuer').tokens.listImports()
      await ask('read', list, (imports) => `${imports.length} tokens: ${imports.map(({ symbol }) => symbol).join(' ')}`)
    },
  },
  {
    number: '4.2',
    name: 'Propose extension',
    async run({ demo, ask }) {
      const { lending } = demo.tally('lender')
      const params = { marketId: demo.market('custody', 'lender') }
      const { loanId } = healthyLoan(demo)
      // Far behind any loan of the demo.
      const newDueAt = Math.ceil((Date.now() + 365 * DAY_MS) / 1000)
      const body = { kind: 'LOAN', loanId, newDueAt } as const
      const built = await ask(
        'build',
        () => lending.proposeExtension({ params, body }),
        ({ functionName, requiredRole }) =>
          `${functionName}: loan ${loanId} until ${dayOf(newDueAt * 1000)}, signed by ${requiredRole}`,
      )
      const hash = await sign(demo.wallet('Lender of record'), built)
      await ask(
        'confirm',
        () => lending.confirmExtensionTransaction({ params, body: hash }),
        ({ activity }) => activity.map(({ event, proposalId }) => `${event}, proposal ${proposalId}`).join(', '),
      )
    },
  },
  {
    number: '4.3',
    name: 'Remove sub-issuer',
    async run({ demo, ask }) {
      const { stocks } = demo.tally('issuer')
      const params = { tokenAddress: demo.token('NWP') }
      const body = { account: triedWallet(demo) }
      const built = await ask(
        'build',
        () => stocks.removeSubIssuer({ params, body }),
        () => 'removeSubIssuer of the lender of record on NWP',
      )
      if (!('txData' in built)) throw new Error('the relayer signed what it was not asked for')
      requireUsable(built)
      const hash = await sign(demo.wallet('Issuer platform'), built.txData)
      await ask(
        'confirm',
        () => stocks.removeSubIssuer({ params, body: { ...body, ...hash } }),
        ({ role, action }) => `${role} ${action}`,
      )
    },
  },
  {
    number: '4.4',
    name: 'Attest asset data',
    async run({ demo, ask }) {
      const { lending } = demo.tally('issuer')
      const params = { market: labelled(demo.file.markets, 'seeking', 'market').marketAddress }
      const built = await ask(
        'build',
        () => lending.attestAssetData({ params }),
        ({ signerRole, previousVersion, nextVersion }) =>
          `version ${previousVersion} to ${nextVersion}, signed by the ${signerRole}`,
      )
      const hash = await sign(demo.wallet('Issuer platform'), built.transaction)
      await ask(
        'confirm',
        () => lending.confirmAttestation({ params, body: hash }),
        ({ attestation }) => `version ${attestation.version}, ${attestation.contentHash}`,
      )
    },
  },
  {
    number: '4.5',
    name: 'Sweep infrastructure fees',
    async run({ demo, ask }) {
      const { lending } = demo.tally('lender')
      const params = { marketId: demo.market('custody', 'lender') }
      const built = await ask(
        'build',
        () => lending.sweepInfrastructureFees({ params }),
        ({ amount, asset }) => `${amount} ${asset.symbol} are booked`,
      )
      // Anybody may.
      const hash = await sign(demo.wallet('Outsider'), built.transaction)
      await ask(
        'confirm',
        () => lending.sweepInfrastructureFees({ params, body: hash }),
        ({ amount, asset, destination }) => `${amount} ${asset.symbol} paid to ${destination}`,
      )
    },
  },
  {
    number: '4.6',
    name: 'Get RFQ',
    async run({ demo, ask }) {
      const { instance, rfqId } = labelled(demo.file.rfqs, 'shares', 'request for quote')
      await ask(
        'read',
        () => demo.tally(instance).trading.getRfq({ params: { id: rfqId } }),
        ({ side, status, baseAmount, quotes }) =>
          `${side} ${units(baseAmount)} NWP, ${status}, quoted at ${quotes.map(({ price }) => units(price)).join(', ')}`,
      )
    },
  },
  {
    number: '4.7',
    name: 'Withdraw collateral for sale',
    async run({ demo, ask, refused }) {
      const { lending } = demo.tally('lender')
      const { marketId, liquidationId } = labelled(demo.file.liquidations, 'onRouter', 'liquidation')
      const params = { liquidationId }
      const amount = '0.01'
      await refused(
        'AMBIGUOUS_LIQUIDATION_ID',
        () => lending.withdrawCollateralForSale({ params, body: { amount } }),
        ({ code, extra }) => `${code}: number ${liquidationId} is on ${(extra.candidates as object[]).length} routers`,
      )
      const body = { amount, marketId }
      const built = await ask(
        'build',
        () => lending.withdrawCollateralForSale({ params, body }),
        (data) => `${data.amount} of ${data.collateralRemaining} NORD to ${data.recipient}`,
      )
      const hash = await sign(demo.wallet('Lender of record'), built.transaction)
      await ask(
        'confirm',
        () => lending.withdrawCollateralForSale({ params, body: { ...body, ...hash } }),
        ({ collateralRemaining }) => `${collateralRemaining} NORD stay on the router`,
      )
    },
  },
  {
    number: '4.8',
    name: 'Search issuers',
    async run({ demo, ask }) {
      const query = { q: 'grusst' }
      const search = () => demo.tally('register').register.searchIssuers({ query })
      await ask(
        'read',
        search,
        (entries) => `${query.q}: ${entries.length} entries, first ${entries[0]?.entityName ?? 'none'}`,
      )
    },
  },
  {
    number: '4.9',
    name: 'Order book trades',
    async run({ demo, ask }) {
      const params = { orderBookId: demo.book('commodity') }
      await ask(
        'read',
        () => demo.tally('issuer').trading.listOrderBookTrades({ surface: 'orderbooks/commodities', params }),
        ({ total, trades }) =>
          `${total} trades of gold: ${trades.map(({ settlementStatus }) => settlementStatus).join(' ')}`,
      )
    },
  },
  {
    number: '4.10',
    name: 'Auction module status',
    async run({ demo, ask }) {
      const params = { marketId: demo.market('freeze', 'lender') }
      await ask(
        'read',
        () => demo.tally('lender').lending.getAuctionModule({ params }),
        ({ wired, useDutchAuction, routerAuthorized, tokenAdmitted }) =>
          `wired ${wired}, auctions ${useDutchAuction}, router ${routerAuthorized}, token ${tokenAdmitted}`,
      )
    },
  },
  {
    number: '4.11',
    name: 'Daily statistics by token',
    async run({ demo, ask }) {
      const request = {
        surface: 'orderbooks/external-securities',
        params: { tokenAddress: demo.token('NORD') },
      } as const
      await ask(
        'read',
        () => demo.tally('issuer').trading.getDailyStats(request),
        ({ stats, totals, orderbooks }) =>
          `${stats.length} days on ${orderbooks.length} book, ${totals.tradeCount} trades of ${totals.volumeBase} NORD`,
      )
    },
  },
  {
    number: '4.12',
    name: 'Setup steps',
    async run({ demo, ask }) {
      const params = { marketId: demo.market('custody', 'lender') }
      await ask(
        'read',
        () => demo.tally('lender').lending.getSetupSteps({ params }),
        ({ mode, complete, steps }) =>
          `${mode}, ${steps.filter(({ done }) => done).length} of ${steps.length} steps done, complete ${complete}`,
      )
    },
  },
  {
    number: '4.13',
    name: 'Claim escrowed collateral',
    async run({ demo, ask }) {
      const params = { marketId: demo.market('custody', 'lender') }
      const body = { holderAddress: demo.wallet('Borrower').account.address }
      // Whoever signs it has it back. There is nothing to confirm.
      await ask(
        'build',
        () => demo.tally('lender').lending.claimEscrowedCollateral({ params, body }),
        ({ functionName, escrowedCollateral }) => `${functionName}: ${escrowedCollateral} NORD for the borrower`,
      )
    },
  },
  {
    number: '4.14',
    name: 'Borrow more',
    async run({ demo, ask }) {
      const { lending } = demo.tally('lender')
      const params = { marketId: demo.market('custody', 'lender') }
      const { loanId, wallet } = healthyLoan(demo)
      const body = { loanId, amount: '1' }
      const built = await ask(
        'build',
        () => lending.borrowMore({ params, body }),
        ({ preview }) => `debt ${preview?.debt} dEUR, health factor ${preview?.healthFactor}`,
      )
      const hash = await sign(wallet, built)
      await ask(
        'confirm',
        () => lending.borrowMore({ params, body: { ...body, ...hash } }),
        ({ additionalBorrow }) => `loan ${loanId} drew ${additionalBorrow} dEUR`,
      )
    },
  },
  {
    number: '4.15',
    name: 'List off-chain order books',
    async run({ demo, ask }) {
      await ask(
        'read',
        () => demo.tally('issuer').trading.listOffchainBooks(),
        (books) =>
          books.map(({ symbol, status, settlementMode }) => `${symbol} ${status} ${settlementMode}`).join(', '),
      )
    },
  },
  {
    number: '4.16',
    name: 'Liquidation config',
    async run({ demo, ask }) {
      const params = { marketId: demo.market('custody', 'lender') }
      await ask(
        'read',
        () => demo.tally('lender').lending.getLiquidationConfig({ params }),
        ({ isConfigured, stats }) =>
          `configured ${isConfigured}, ${stats.totalLiquidations} liquidation, ${stats.pendingLiquidationDebt} dEUR pending`,
      )
    },
  },
  {
    number: '4.17',
    name: 'Revoke claim',
    async run({ demo, ask }) {
      const { identity } = demo.tally('issuer')
      const body = { walletAddress: triedWallet(demo), claimType: 'AML' }
      const built = await ask(
        'build',
        () => identity.revokeClaim({ body }),
        ({ functionName, claimType }) => `${functionName}: ${claimType} of the lender of record`,
      )
      requireUsable(built)
      const hash = await sign(demo.wallet('Issuer platform'), built.transaction)
      await ask(
        'confirm',
        () => identity.revokeClaim({ body: { ...body, ...hash } }),
        ({ claimType, gasUsed }) => `${claimType} revoked, ${gasUsed} gas`,
      )
    },
  },
  {
    number: '4.18',
    name: 'Revoke proof',
    async run({ demo, ask }) {
      const { identity } = demo.tally('issuer')
      const body = { walletAddress: triedWallet(demo), claimType: 'RESIDENCY' }
      const built = await ask(
        'build',
        () => identity.revokeProof({ body }),
        ({ claimType, description }) => `${claimType}: ${description}`,
      )
      requireUsable(built)
      const hash = await sign(demo.wallet('Issuer platform'), built.transaction)
      await ask(
        'confirm',
        () => identity.revokeProof({ body: { ...body, ...hash } }),
        ({ claimType, gasUsed }) => `${claimType} revoked, ${gasUsed} gas`,
      )
    },
  },
  {
    number: '4.19',
    name: 'Price history',
    async run({ demo, ask }) {
      const params = { marketId: demo.market('stock-freeze', 'lender') }
      await ask(
        'read',
        () => demo.tally('lender').lending.getPriceHistory({ params }),
        ({ symbol, currentPrice, history }) =>
          `${symbol} at ${currentPrice}, ${history.length} points since ${dayOf(history[0]?.timestamp ?? 0)}`,
      )
    },
  },
  {
    number: '4.20',
    name: 'Upgrade market',
    async run({ demo, ask }) {
      const { lending } = demo.tally('lender')
      const params = { marketId: demo.market('earlier', 'lender') }
      const body = { target: 'market' } as const
      const built = await ask(
        'build',
        () => lending.upgradeMarket({ params, body }),
        ({ previousImplementation, implementation }) => `${previousImplementation} to ${implementation}`,
      )
      const hash = await sign(demo.wallet('Lender of record'), built)
      await ask(
        'confirm',
        () => lending.upgradeMarket({ params, body: { ...body, ...hash } }),
        ({ confirmed, proxy }) => `confirmed ${confirmed}, proxy ${proxy}`,
      )
    },
  },
]
