import type { Demo } from '../demo/demo.ts'
import { type Endpoint, requireUsable, sign } from './trial.ts'

/** Whose claim and proof are there to be revoked, and who is there to be removed. */
const triedWallet = (demo: Demo) => demo.wallet('Lender of record').account.address

/** Tokens, stocks, identities and the register. */
export const directories: readonly Endpoint[] = [
  {
    number: '4.1',
    name: 'List imports',
    async run({ demo, ask }) {
      const list = () => demo.tally('issuer').tokens.listImports()
      await ask('read', list, (imports) => `${imports.length} tokens: ${imports.map(({ symbol }) => symbol).join(' ')}`)
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
]
