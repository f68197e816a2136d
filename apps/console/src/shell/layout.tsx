import { Content, Item, Label, Portal, Root, Separator, Trigger } from '@radix-ui/react-dropdown-menu'
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { demoSignIn, signOut } from '../api/access.ts'
import { leave, personOf, useDemoRoles, useEnded, useEnter, useSession } from '../api/session.ts'
import { showWords } from '../lib/format.ts'
import { SigningDrawer } from '../signing/drawer.tsx'
import { openJob } from '../signing/job.ts'
import { t } from '../texts/index.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Identicon } from '../ui/identicon.tsx'
import { Fault } from '../ui/loading.tsx'
import mark from './mark.svg'
import { RETURN_PATH, ReturnFromProvider } from './provider.tsx'
import { SignIn, SignInWays } from './sign-in.tsx'
import { toggleTheme, useTheme } from './theme.ts'

/** Brought along when somebody first asks for it. */
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

const PAGES: readonly { to: string; name: string; icon: IconName }[] = [
  { to: '/', name: t.nav.home, icon: 'home' },
  { to: '/transactions', name: t.nav.transactions, icon: 'list' },
  { to: '/markets', name: t.nav.markets, icon: 'chart' },
  { to: '/risk', name: t.nav.risk, icon: 'shield' },
  { to: '/liquidations', name: t.nav.liquidations, icon: 'gavel' },
  { to: '/vaults', name: t.nav.vaults, icon: 'vault' },
  { to: '/investors', name: t.nav.investors, icon: 'person' },
  { to: '/cap-table', name: t.nav.capTable, icon: 'shares' },
  { to: '/trade', name: t.nav.trade, icon: 'ladder' },
  { to: '/rfq', name: t.nav.rfq, icon: 'quote' },
  { to: '/tokens', name: t.nav.tokens, icon: 'coins' },
  { to: '/register', name: t.nav.register, icon: 'book' },
  { to: '/admin', name: t.nav.admin, icon: 'users' },
]

export function Shell() {
  const session = useSession()
  const isReturning = useRouterState({ select: ({ location }) => location.pathname === RETURN_PATH })
  if (isReturning) return <ReturnFromProvider />
  if (session.data === undefined)
    return session.error ? (
      <div className="mx-auto max-w-xl p-8">
        <Fault error={session.error} again={() => void session.refetch()} />
      </div>
    ) : null
  return session.data === null ? <SignIn /> : <SignedIn key={personOf(session.data)} />
}

function Pages({ onGo }: { onGo?: () => void }) {
  return (
    <ul className="space-y-0.5">
      {PAGES.map(({ to, name, icon }) => (
        <li key={to}>
          <Link
            to={to}
            {...(onGo ? { onClick: onGo } : {})}
            activeOptions={{ exact: to === '/' }}
            className="flex h-8 items-center gap-2.5 rounded-md px-2.5 text-sm text-muted hover:bg-raised hover:text-ink"
            activeProps={{ className: 'bg-raised !text-ink font-medium' }}
          >
            <Icon name={icon} />
            {name}
          </Link>
        </li>
      ))}
    </ul>
  )
}

const Brand = () => (
  <span className="flex items-center gap-2 text-base font-medium tracking-tight">
    <img src={mark} alt="" className="size-6" />
    {t.product}
  </span>
)

function SignedIn() {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [isSearching, setSearching] = useState(false)
  const isEnded = useEnded()
  // What one person had in hand is not for the next.
  useEffect(() => () => openJob(undefined), [])
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setSearching(true)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  return (
    <div className="min-h-dvh lg:pl-56 print:pl-0">
      <a
        href="#content"
        className="sr-only z-50 rounded bg-panel px-3 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t.nav.skip}
      </a>
      <nav
        aria-label={t.nav.main}
        className="fixed inset-y-0 left-0 z-20 flex w-56 flex-col border-r border-line bg-panel max-lg:hidden"
      >
        <div className="flex h-14 items-center px-4">
          <Brand />
        </div>
        <div className="flex-1 overflow-y-auto px-2 py-2">
          <SearchButton onClick={() => setSearching(true)} />
          <Pages />
        </div>
        <div className="border-t border-line p-2">
          <DocsLink />
          <Account />
        </div>
      </nav>
      <header className="sticky top-0 z-20 flex h-13 items-center justify-between border-b border-line bg-panel px-3 lg:hidden">
        <Brand />
        <div className="flex">
          <Button look="quiet" aria-label={t.palette.open} onClick={() => setSearching(true)}>
            <Icon name="search" className="size-5" />
          </Button>
          <Button look="quiet" aria-label={t.nav.menu} onClick={() => setMenuOpen(true)}>
            <Icon name="menu" className="size-5" />
          </Button>
        </div>
      </header>
      {isMenuOpen ? (
        <Dialog side title={t.nav.menu} onClose={() => setMenuOpen(false)}>
          <nav aria-label={t.nav.main} className="flex flex-1 flex-col justify-between p-3">
            <Pages onGo={() => setMenuOpen(false)} />
            <div>
              <DocsLink />
              <RoleList onDone={() => setMenuOpen(false)} />
            </div>
          </nav>
        </Dialog>
      ) : null}
      <ModeBanner />
      <main id="content" tabIndex={-1} className="mx-auto max-w-7xl px-4 py-5 outline-none sm:px-6">
        <Outlet />
      </main>
      <SigningDrawer />
      {isSearching ? (
        <Suspense fallback={null}>
          <Palette pages={PAGES} onClose={() => setSearching(false)} />
        </Suspense>
      ) : null}
      {isEnded ? (
        <Dialog title={t.signIn.title} about={t.signIn.ended} onClose={leave}>
          <div className="space-y-4 p-5">
            <SignInWays isKept />
          </div>
        </Dialog>
      ) : null}
    </div>
  )
}

const SearchButton = ({ onClick }: { onClick: () => void }) => (
  <button
    type="button"
    onClick={onClick}
    className="mb-2 flex h-8 w-full items-center gap-2.5 rounded-md border border-line px-2.5 text-sm text-muted hover:text-ink"
  >
    <Icon name="search" /> {t.palette.open} <kbd className="ml-auto font-sans text-xs">Ctrl K</kbd>
  </button>
)

function DocsLink() {
  const theme = useTheme()
  return (
    <div className="mb-1 flex items-center justify-between">
      <a
        href="/docs"
        className="flex h-8 items-center gap-2.5 rounded-md px-2.5 text-sm text-muted hover:bg-raised hover:text-ink"
      >
        <Icon name="book" /> {t.nav.docs}
      </a>
      <Button look="quiet" small aria-label={t.nav.theme} onClick={toggleTheme}>
        <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
      </Button>
    </div>
  )
}

function ModeBanner() {
  const { data: session } = useSession()
  const demo = useDemoRoles()
  const isDemo = (demo.data?.length ?? 0) > 0
  if (!isDemo && session?.instance.environment === 'PRODUCTION') return null
  return (
    <p className="no-print border-b border-line bg-warn-soft px-4 py-1.5 text-center text-xs text-warn sm:px-6">
      {isDemo ? t.mode.demo : t.mode.sandbox}
    </p>
  )
}

const ITEM =
  'flex h-8 cursor-pointer items-center gap-2 rounded px-2 text-sm outline-none data-highlighted:bg-raised data-disabled:opacity-50'

function useSwitch(): (role: string) => Promise<void> {
  const enter = useEnter()
  const router = useRouter()
  return async (role) => {
    enter(await demoSignIn(role))
    await router.navigate({ to: '/' })
  }
}

/** On a phone, without a menu in a menu. */
function RoleList({ onDone }: { onDone: () => void }) {
  const demo = useDemoRoles()
  const { data: session } = useSession()
  const change = useSwitch()
  return (
    <div className="border-t border-line pt-2">
      <p className="px-2.5 py-1 text-xs text-muted">
        {session?.name} · {session?.instance.name}
      </p>
      {demo.data?.map(({ role }) => (
        <Button key={role} look="quiet" className="w-full justify-start" onClick={() => void change(role).then(onDone)}>
          {t.nav.switchRole} {showWords(role)}
        </Button>
      ))}
      <Button look="quiet" className="w-full justify-start" onClick={() => void signOut().finally(leave)}>
        <Icon name="out" /> {t.nav.signOut}
      </Button>
    </div>
  )
}

function Account() {
  const { data: session } = useSession()
  const demo = useDemoRoles()
  const change = useSwitch()
  if (!session) return null
  const address = session.user?.address
  return (
    <Root modal={false}>
      <Trigger
        aria-label={t.nav.account}
        className="flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-left hover:bg-raised"
      >
        <Identicon seed={address ?? session.sessionId} />
        <span className="min-w-0 flex-1">
          <span className="block truncate text-sm font-medium">{session.name}</span>
          {session.instance.name === session.name ? null : (
            <span className="block truncate text-xs text-muted">{session.instance.name}</span>
          )}
        </span>
        <Icon name="down" className="size-3.5 text-muted" />
      </Trigger>
      <Portal>
        <Content
          side="top"
          align="start"
          sideOffset={4}
          className="z-50 w-60 rounded-md border border-line bg-panel p-1 shadow-lg"
        >
          {demo.data?.length ? (
            <>
              <Label className="px-2 py-1 text-xs text-muted">{t.nav.switchRole}</Label>
              {demo.data.map(({ role, address: own }) => (
                <Item key={role} className={ITEM} onSelect={() => void change(role)}>
                  <Identicon seed={own} /> {showWords(role)}
                  {own === address ? <Icon name="check" className="ml-auto size-3.5" /> : null}
                </Item>
              ))}
              <Separator className="my-1 h-px bg-line" />
            </>
          ) : null}
          <Item className={ITEM} onSelect={() => void signOut().finally(leave)}>
            <Icon name="out" /> {t.nav.signOut}
          </Item>
        </Content>
      </Portal>
    </Root>
  )
}
