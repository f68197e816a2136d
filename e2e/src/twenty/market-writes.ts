import type { Demo } from '../demo/demo.ts'
import { labelled } from '../demo/demo-file.ts'
import { DAY_MS, dayOf } from './days.ts'
import { type Endpoint, sign } from './trial.ts'

/** A loan of the custody market that is far from every limit. */
function healthyLoan(demo: Demo) {
  const { loans } = labelled(demo.file.markets, 'custody', 'market')
  return { loanId: labelled(loans, 'healthy', 'loan of the market custody'), wallet: demo.wallet('Borrower') }
}

/** What changes a market, its loans and what was seized from them. */
export const marketWrites: readonly Endpoint[] = [
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
