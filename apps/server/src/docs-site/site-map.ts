/** What the site shows and in which order. A page that is not here is not shown; a test says when one was forgotten. */
export const siteMap = [
  { title: 'Start', files: ['index.md', 'quick-start.md', 'concepts.md', 'sdk.md', 'mcp.md'] },
  {
    title: 'Console',
    files: [
      'console.md',
      'console/trader.md',
      'console/market-maker.md',
      'console/lender.md',
      'console/borrower.md',
      'console/liquidator.md',
      'console/compliance-officer.md',
      'console/issuer.md',
      'console/administrator.md',
    ],
  },
  {
    title: 'Guides',
    files: [
      'guides/issuer-platform.md',
      'guides/lender-of-record.md',
      'guides/borrower.md',
      'guides/liquidity-provider.md',
      'guides/liquidator.md',
      'guides/market-maker.md',
      'guides/compliance-officer.md',
    ],
  },
  { title: 'Subjects', folder: 'api' },
  {
    title: 'How it works',
    files: ['architecture.md', 'contracts.md', 'trading.md', 'signing.md', 'security.md', 'decisions.md'],
  },
  {
    title: 'Operating',
    files: ['operating.md', 'scaling.md', 'journal.md', 'cli.md', 'configuration.md', 'register.md', 'relayer.md'],
  },
  { title: 'Promises', files: ['versioning.md', 'errors.md', 'conformance.md'] },
] as const satisfies readonly ({ title: string } & ({ files: readonly string[] } | { folder: string }))[]
