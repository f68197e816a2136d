import type { Address as AddressValue, GetStock } from '@tallystick/sdk'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type Holder,
  type Moment,
  type Stock,
  useHolders,
  useStock,
  useStockHistory,
  useStocks,
} from '../../api/registry.ts'
import { divide, fromInteger, parseDecimal, plainDecimal, times } from '../../lib/decimal.ts'
import { shortAddress, showWords } from '../../lib/format.ts'
import { t } from '../../texts/index.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Address, Amount, AsOf, Copy, Percent, When } from '../../ui/figures.tsx'
import { Fault, Loaded, Waiting } from '../../ui/loading.tsx'
import { Empty, PageHead, Panel, Stat, Stats } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Actions } from './cap-table-actions.tsx'
import { Roles } from './cap-table-roles.tsx'

const text = t.capTable
type StockState = GetStock['data']

export function CapTables() {
  const stocks = useStocks()
  const navigate = useNavigate()
  const columns: readonly Column<Stock>[] = [
    {
      key: 'name',
      name: text.columns.name,
      cell: ({ name, tokenAddress }) => (
        <Link to="/cap-table/$tokenAddress" params={{ tokenAddress }} className="font-medium hover:underline">
          {name}
        </Link>
      ),
      csv: ({ name }) => name,
      sortBy: ({ name }) => name,
    },
    { key: 'symbol', name: text.columns.symbol, cell: ({ symbol }) => symbol, csv: ({ symbol }) => symbol },
    {
      key: 'isin',
      name: text.columns.isin,
      cell: ({ isin }) => <span className="num">{isin}</span>,
      csv: ({ isin }) => isin,
    },
    {
      key: 'token',
      name: text.columns.token,
      wide: true,
      cell: ({ tokenAddress }) => <Address value={tokenAddress} />,
      csv: ({ tokenAddress }) => tokenAddress,
    },
    {
      key: 'since',
      name: text.columns.since,
      wide: true,
      cell: ({ recordedAt }) => <When at={recordedAt} as="day" />,
      csv: ({ recordedAt }) => recordedAt,
    },
  ]
  return (
    <>
      <PageHead title={text.title} about={text.about} />
      <Loaded query={stocks} rows={4}>
        {({ data }) => (
          <Table
            title={text.stocks}
            rows={data}
            columns={columns}
            rowKey={({ tokenAddress }) => tokenAddress}
            onOpen={({ tokenAddress }) => void navigate({ to: '/cap-table/$tokenAddress', params: { tokenAddress } })}
            empty={<Empty title={text.none}>{text.noneAbout}</Empty>}
          />
        )}
      </Loaded>
    </>
  )
}

export function CapTable() {
  const { tokenAddress = '' } = useParams({ strict: false })
  const query = useStock(tokenAddress as AddressValue)
  return (
    <Loaded query={query} rows={8}>
      {({ data, metadata }) => <Details stock={data} metadata={metadata} />}
    </Loaded>
  )
}

interface Search {
  readonly tab?: string
  readonly block?: string | number
  readonly at?: string
}

function Details({ stock, metadata }: { stock: StockState; metadata: { requestId: string; timestamp: string } }) {
  const { tab = 'holders', block, at } = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const { tokenAddress } = stock
  const moment: Moment = { block: block === undefined ? undefined : String(block), at }
  const go = (search: Search) => void navigate({ to: '.', search, replace: true })
  const tabs = [
    {
      key: 'holders',
      name: text.holders,
      content: <Holders stock={stock} moment={moment} onMoment={(next) => go({ tab, ...next })} />,
    },
    { key: 'roles', name: text.roles, content: <Roles stock={stock} /> },
    { key: 'actions', name: text.actions, content: <Actions stock={stock} /> },
    { key: 'history', name: text.history, content: <History stock={stock} /> },
  ]
  return (
    <>
      <PageHead
        back={<BackLink to="/cap-table" name={text.title} />}
        title={stock.name}
        about={
          <span className="inline-flex flex-wrap items-center gap-2">
            {stock.symbol} · {stock.isin} <Address value={tokenAddress} />
            {stock.paused ? <Badge tone="bad">{text.paused}</Badge> : <Badge tone="good">{text.moving}</Badge>}
            {stock.splitHoldersLeft === '0' ? null : <Badge tone="warn">{text.splitUnderWay}</Badge>}
          </span>
        }
        aside={<AsOf metadata={metadata} />}
      />
      <Stats>
        <Stat name={text.supply}>
          <Amount value={stock.totalSupply} unit={stock.symbol} />
        </Stat>
        <Stat name={text.holderCount}>
          <span className="num">{stock.holderCount}</span>
        </Stat>
        <Stat name={text.issuer}>
          <Address value={stock.owner} />
        </Stat>
        <Stat name={text.registry}>
          <Address value={stock.identityRegistry} />
        </Stat>
      </Stats>
      <div className="mt-4">
        <Tabs label={stock.name} tabs={tabs} value={tab} onChange={(next) => go({ tab: next, ...searchOf(moment) })} />
      </div>
    </>
  )
}

const searchOf = ({ block, at }: Moment): Search => ({ ...(block ? { block } : {}), ...(at ? { at } : {}) })

/** Hundredths of a percent. */
function shareOf(balance: string, supply: string): string | null {
  const [part, whole] = [parseDecimal(balance), parseDecimal(supply)]
  if (!part || !whole || whole.units === 0n) return null
  return plainDecimal(divide(times(part, fromInteger(10_000n)), whole, 2))
}

function Holders({ stock, moment, onMoment }: { stock: StockState; moment: Moment; onMoment: (next: Search) => void }) {
  const query = useHolders(stock.tokenAddress, moment)
  const [first] = query.data?.pages ?? []
  const rows = query.data?.pages.flatMap(({ data }) => data.holders) ?? []
  const supply = first?.data.totalSupply ?? '0'
  const columns: readonly Column<Holder>[] = [
    {
      key: 'address',
      name: text.columns.holder,
      cell: ({ address }) => (
        <span className="inline-flex items-center">
          <Link to="/investors/$walletAddress" params={{ walletAddress: address }} className="hover:underline">
            <span className="sr-only">{text.openFile}</span>
            <span className="font-mono text-xs">{shortAddress(address)}</span>
          </Link>
          <Copy text={address} label={address} />
        </span>
      ),
      csv: ({ address }) => address,
    },
    {
      key: 'balance',
      name: text.columns.balance,
      number: true,
      cell: ({ balance }) => <Amount value={balance} unit={stock.symbol} />,
      csv: ({ balance }) => balance,
      sortBy: ({ balance }) => Number(balance),
    },
    {
      key: 'share',
      name: text.columns.share,
      number: true,
      cell: ({ balance }) => <Percent bps={shareOf(balance, supply)} />,
      csv: ({ balance }) => shareOf(balance, supply) ?? '',
    },
  ]
  return (
    <div className="space-y-4">
      <MomentPicker moment={moment} onMoment={onMoment} />
      {query.error ? <Fault error={query.error} again={() => void query.refetch()} /> : null}
      {query.isPending ? (
        <Panel>
          <Waiting rows={5} />
        </Panel>
      ) : first ? (
        <Table
          title={text.holders}
          rows={rows}
          columns={columns}
          rowKey={({ address }) => address}
          aside={
            <>
              <span className="text-xs text-muted">
                {t.asOf.block} <span className="num">{first.data.block}</span> ·{' '}
                <span className="num">{text.holdersThen(String(first.data.total))}</span>
              </span>
              <Link
                to="/cap-table/$tokenAddress/extract"
                params={{ tokenAddress: stock.tokenAddress }}
                search={{ block: first.data.block }}
                className="text-xs text-accent underline"
              >
                {text.extract}
              </Link>
            </>
          }
          empty={<Empty title={text.noHolders}>{text.noHoldersAbout}</Empty>}
          footer={
            query.hasNextPage ? (
              <div className="border-t border-line p-2 text-center">
                <Button small look="quiet" onClick={() => void query.fetchNextPage()}>
                  {t.table.more}
                </Button>
              </div>
            ) : undefined
          }
        />
      ) : null}
    </div>
  )
}

/** Now, at the end of a day, or at the end of a block. */
function MomentPicker({ moment, onMoment }: { moment: Moment; onMoment: (next: Search) => void }) {
  const [block, setBlock] = useState(moment.block ?? '')
  const isNow = !moment.block && !moment.at
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onMoment(/^\d+$/.test(block) ? { block } : {})
      }}
    >
      <Button look={isNow ? 'primary' : 'plain'} aria-pressed={isNow} onClick={() => onMoment({})}>
        {text.now}
      </Button>
      <label className="text-xs text-muted">
        {text.atDate}
        <input
          type="datetime-local"
          value={moment.at ? localOf(moment.at) : ''}
          onChange={({ target }) => onMoment(target.value ? { at: new Date(target.value).toISOString() } : {})}
          className="mt-1 block h-9 rounded-md border border-strong bg-panel px-2 text-sm text-ink"
        />
      </label>
      <label className="text-xs text-muted">
        {text.atBlock}
        <input
          inputMode="numeric"
          value={block}
          onChange={({ target }) => setBlock(target.value.replace(/\D/g, ''))}
          className="num mt-1 block h-9 w-32 rounded-md border border-strong bg-panel px-2 text-sm text-ink"
        />
      </label>
      <Button type="submit" disabled={block === ''}>
        {text.show}
      </Button>
    </form>
  )
}

/** As an input of the reader's zone wants it. */
function localOf(iso: string): string {
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

type Line = NonNullable<ReturnType<typeof useStockHistory>['data']>['pages'][number]['data'][number]

function History({ stock }: { stock: StockState }) {
  const query = useStockHistory(stock.tokenAddress)
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? []
  const columns: readonly Column<Line>[] = [
    {
      key: 'type',
      name: text.columns.what,
      cell: ({ type, splitRatio }) => (
        <span className="font-medium">
          {text.acts[type] ?? showWords(type.replaceAll('-', '_'))}{' '}
          {splitRatio ? `${splitRatio.numerator} : ${splitRatio.denominator}` : ''}
        </span>
      ),
      csv: ({ type }) => type,
    },
    {
      key: 'amount',
      name: text.columns.amount,
      number: true,
      cell: ({ amount }) => <Amount value={amount} unit={amount === null ? null : stock.symbol} />,
      csv: ({ amount }) => amount ?? '',
    },
    {
      key: 'from',
      name: text.columns.from,
      wide: true,
      cell: ({ from }) => <Address value={from} />,
      csv: ({ from }) => from ?? '',
    },
    {
      key: 'to',
      name: text.columns.to,
      wide: true,
      cell: ({ to }) => <Address value={to} />,
      csv: ({ to }) => to ?? '',
    },
    {
      key: 'reason',
      name: text.columns.reason,
      wide: true,
      cell: ({ reason }) => reason ?? '–',
      csv: ({ reason }) => reason ?? '',
    },
    {
      key: 'when',
      name: text.columns.when,
      cell: ({ timestamp }) => <When at={timestamp} />,
      csv: ({ timestamp }) => timestamp,
    },
    {
      key: 'block',
      name: t.asOf.block,
      number: true,
      wide: true,
      cell: ({ blockNumber }) => <span className="num">{blockNumber}</span>,
      csv: ({ blockNumber }) => blockNumber,
    },
  ]
  if (query.isPending) return <Waiting rows={5} />
  if (query.error) return <Fault error={query.error} again={() => void query.refetch()} />
  return (
    <Table
      title={text.history}
      rows={rows}
      columns={columns}
      rowKey={({ transactionHash, type, from, to, amount }) => `${transactionHash}-${type}-${from}-${to}-${amount}`}
      empty={<Empty title={text.noHistory} />}
      footer={
        query.hasNextPage ? (
          <div className="border-t border-line p-2 text-center">
            <Button small look="quiet" onClick={() => void query.fetchNextPage()}>
              {t.table.more}
            </Button>
          </div>
        ) : undefined
      }
    />
  )
}
