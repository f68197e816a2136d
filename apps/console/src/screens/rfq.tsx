import { useState } from 'react'
import type { Request } from '../api/rfq.ts'
import { useDemoRoles, useSignedIn } from '../api/session.ts'
import { type Book, useBooks } from '../api/trading.ts'
import { connect, useConnection, useWallets } from '../api/wallets.ts'
import { AskForm } from '../rfq/ask-form.tsx'
import { MakerCard } from '../rfq/maker-card.tsx'
import type { Said } from '../rfq/outcome.ts'
import { PastRequests } from '../rfq/past-requests.tsx'
import { RequestCard } from '../rfq/request-card.tsx'
import { isAlive } from '../rfq/requests.ts'
import { useLiveRequests, useServerTime } from '../rfq/use-requests.ts'
import { t } from '../texts/index.ts'
import { orderWallet } from '../trade/wallet.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Address } from '../ui/figures.tsx'
import { Loaded } from '../ui/loading.tsx'
import { Empty, PageHead, Panel } from '../ui/panel.tsx'
import { Tabs } from '../ui/tabs.tsx'

const text = t.rfq

function useOrderWallet() {
  const session = useSignedIn()
  const connection = useConnection()
  const isDemo = (useDemoRoles().data?.length ?? 0) > 0
  return orderWallet(session, connection, isDemo)
}

export type OrderWallet = NonNullable<ReturnType<typeof useOrderWallet>>

function Connect() {
  const wallets = useWallets()
  return (
    <span className="flex items-center gap-2 text-sm text-muted">
      {t.trade.ticket.noWallet}
      {wallets.map((wallet) => (
        <Button key={wallet.info.uuid} small onClick={() => void connect(wallet).catch(() => {})}>
          {t.trade.ticket.connect} {wallet.info.name}
        </Button>
      ))}
    </span>
  )
}

export function Rfq() {
  const { requests, isLost } = useLiveRequests()
  const wallet = useOrderWallet()
  const { books } = useBooks()
  const stocks = books.filter(({ kind }) => kind === 'stocks').map(({ book }) => book)
  const [tab, setTab] = useState('ask')
  return (
    <>
      <PageHead
        title={text.title}
        about={text.about}
        aside={
          <>
            {wallet ? <Address value={wallet.account.address} own /> : <Connect />}
            <span role="status">
              <Badge tone={isLost ? 'warn' : 'good'}>{isLost ? t.trade.live.lost : t.trade.live.live}</Badge>
            </span>
          </>
        }
      />
      <Loaded query={requests}>
        {(all) => (
          <Tabs
            label={text.title}
            value={tab}
            onChange={setTab}
            tabs={[
              { key: 'ask', name: text.ask, content: <Asking {...{ all, stocks, wallet }} /> },
              { key: 'make', name: text.make, content: <Making {...{ all, stocks, wallet }} /> },
            ]}
          />
        )}
      </Loaded>
    </>
  )
}

interface DeskProps {
  readonly all: readonly Request[]
  readonly stocks: readonly Book[]
  readonly wallet: OrderWallet | undefined
}

const isOf = (request: Request, wallet: OrderWallet | undefined) =>
  wallet !== undefined && request.requesterAddress === wallet.account.address.toLowerCase()

const bookOf = (stocks: readonly Book[], { baseToken, quoteToken }: Request) =>
  stocks.find((book) => book.tokenAddress === baseToken && book.quoteTokenAddress === quoteToken)

/** The desk of whoever asks. */
function Asking({ all, stocks, wallet }: DeskProps) {
  const now = useServerTime()
  // What was said about a request stays, also when it is over: it is the answer to the last click.
  const [said, setSaid] = useState<Readonly<Record<string, Said>>>({})
  const own = all.filter((request) => isOf(request, wallet))
  const live = own.filter((request) => isAlive(request, now) || said[request.id] !== undefined)
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <AskForm stocks={stocks} wallet={wallet} />
      <div className="min-w-0 space-y-4">
        {live.length === 0 ? (
          <Panel title={text.live}>
            <Empty title={text.noneAsked}>{text.noneAskedAbout}</Empty>
          </Panel>
        ) : null}
        {live.map((request) => (
          <RequestCard
            key={request.id}
            {...{ request, now, wallet }}
            book={bookOf(stocks, request)}
            said={said[request.id]}
            onSaid={(one) => setSaid((known) => ({ ...known, ...(one ? { [request.id]: one } : {}) }))}
          />
        ))}
        <PastRequests requests={own.filter((request) => !isAlive(request, now))} stocks={stocks} />
      </div>
    </div>
  )
}

/** The desk of whoever answers: requests of others in the instance. */
function Making({ all, stocks, wallet }: DeskProps) {
  const now = useServerTime()
  const others = all.filter((request) => !isOf(request, wallet))
  const live = others.filter((request) => isAlive(request, now))
  return (
    <div className="space-y-4">
      {live.length === 0 ? (
        <Panel title={text.open}>
          <Empty title={text.noneOpen}>{text.noneOpenAbout}</Empty>
        </Panel>
      ) : null}
      {live.map((request) => (
        <MakerCard key={request.id} {...{ request, now, wallet }} book={bookOf(stocks, request)} />
      ))}
      <PastRequests requests={others.filter((request) => !isAlive(request, now))} stocks={stocks} />
    </div>
  )
}
