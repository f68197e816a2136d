import { ofMarket, type Stage } from './market-stage.ts'

const content = `# Terms of use

1. Loans are opened against notes that the register of the issuer admits, and repaid in dEUR.
2. A loan runs for 90 days at most. Interest accrues every second, simple on the principal.
3. The issuer may propose, and the administrator may confirm, that loans mature later. No rate changes by that.
4. Collateral of a loan that is no longer covered is seized and sold.
`

/** Words and switch: both have to allow that a loan is extended. */
export async function publishTerms({ lender, act }: Stage, marketId: string): Promise<void> {
  const body = { content, title: 'Terms of use', published: true, providesForExtensions: true }
  await Promise.all([
    lender.call('PUT', ofMarket(marketId, '/terms'), body),
    act(lender.call, ofMarket(marketId, '/allow-extension'), { body: { allowed: true }, by: lender.account }),
  ])
}
