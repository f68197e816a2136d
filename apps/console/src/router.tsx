import { createRootRoute, createRoute, createRouter, Link, lazyRouteComponent } from '@tanstack/react-router'
import { Shell } from './shell/layout.tsx'
import { t } from './texts/index.ts'
import { Fault } from './ui/loading.tsx'
import { Empty, Panel } from './ui/panel.tsx'

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => (
    <Panel>
      <Empty title={t.faults.missing} action={<Link to="/">{t.nav.home}</Link>} />
    </Panel>
  ),
  errorComponent: ({ error, reset }) => <Fault error={error} again={reset} />,
})

const page = <Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, component })

const tree = root.addChildren([
  page(
    '/',
    lazyRouteComponent(() => import('./screens/home.tsx'), 'Home'),
  ),
  page(
    '/transactions',
    lazyRouteComponent(() => import('./screens/transactions.tsx'), 'Transactions'),
  ),
  page(
    '/transactions/$transactionId',
    lazyRouteComponent(() => import('./screens/transactions.tsx'), 'Transactions'),
  ),
  page(
    '/markets',
    lazyRouteComponent(() => import('./screens/markets.tsx'), 'Markets'),
  ),
  page(
    '/markets/$marketId',
    lazyRouteComponent(() => import('./screens/market.tsx'), 'MarketPage'),
  ),
  page(
    '/markets/$marketId/loans/$loanId',
    lazyRouteComponent(() => import('./screens/loan.tsx'), 'LoanPage'),
  ),
  page(
    '/risk',
    lazyRouteComponent(() => import('./screens/risk.tsx'), 'Risk'),
  ),
  page(
    '/liquidations',
    lazyRouteComponent(() => import('./screens/liquidations.tsx'), 'Liquidations'),
  ),
  page(
    '/trade',
    lazyRouteComponent(() => import('./screens/trade.tsx'), 'Trade'),
  ),
  page(
    '/trade/$kind/$bookId',
    lazyRouteComponent(() => import('./screens/trade-book.tsx'), 'TradeBook'),
  ),
  page(
    '/rfq',
    lazyRouteComponent(() => import('./screens/rfq.tsx'), 'Rfq'),
  ),
  page(
    '/rfq/$rfqId',
    lazyRouteComponent(() => import('./screens/rfq-request.tsx'), 'RfqRequest'),
  ),
  page(
    '/vaults',
    lazyRouteComponent(() => import('./screens/vaults.tsx'), 'Vaults'),
  ),
  page(
    '/vaults/$vaultAddress',
    lazyRouteComponent(() => import('./screens/vault.tsx'), 'VaultPage'),
  ),
  page(
    '/investors',
    lazyRouteComponent(() => import('./screens/registry/investors.tsx'), 'Investors'),
  ),
  page(
    '/investors/ask',
    lazyRouteComponent(() => import('./screens/registry/transfer-talk.tsx'), 'AskTransfer'),
  ),
  page(
    '/investors/$walletAddress',
    lazyRouteComponent(() => import('./screens/registry/investor.tsx'), 'InvestorPage'),
  ),
  page(
    '/tokens',
    lazyRouteComponent(() => import('./screens/registry/tokens.tsx'), 'Tokens'),
  ),
  page(
    '/tokens/$tokenAddress',
    lazyRouteComponent(() => import('./screens/registry/token.tsx'), 'TokenPage'),
  ),
  page(
    '/register',
    lazyRouteComponent(() => import('./screens/registry/register.tsx'), 'Register'),
  ),
  page(
    '/register/$entityId',
    lazyRouteComponent(() => import('./screens/registry/register.tsx'), 'EntityPage'),
  ),
  page(
    '/cap-table',
    lazyRouteComponent(() => import('./screens/registry/cap-table.tsx'), 'CapTables'),
  ),
  page(
    '/cap-table/$tokenAddress',
    lazyRouteComponent(() => import('./screens/registry/cap-table.tsx'), 'CapTable'),
  ),
  page(
    '/cap-table/$tokenAddress/extract',
    lazyRouteComponent(() => import('./screens/registry/extract.tsx'), 'Extract'),
  ),
  page(
    '/admin',
    lazyRouteComponent(() => import('./screens/registry/admin-page.tsx'), 'AdminPage'),
  ),
])

export const router = createRouter({ routeTree: tree, defaultPreload: 'intent', scrollRestoration: true })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
