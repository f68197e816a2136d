import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { type Investor, useInvestors } from '../../api/registry.ts'
import { shortAddress, showWords } from '../../lib/format.ts'
import { t } from '../../texts/index.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Copy, When } from '../../ui/figures.tsx'
import { Identicon } from '../../ui/identicon.tsx'
import { Fault, Waiting } from '../../ui/loading.tsx'
import { Empty, PageHead } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Verify } from './verify.tsx'

const text = t.investors

const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  soft_expired: 'warn',
  hard_expired: 'bad',
  revoked: 'bad',
}

export function InvestorStatus({ status, frozen }: { status: string | null; frozen: boolean | null }) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      <Badge tone={TONES[status ?? ''] ?? 'neutral'}>{text.status[status ?? 'unknown'] ?? text.status.unknown}</Badge>
      {frozen ? <Badge tone="bad">{text.frozen}</Badge> : null}
    </span>
  )
}

/** The first of its claims, or the identity itself, that ends. */
function nextEnd({ claims, hardExpiry }: Investor): { what: string; at: number } | undefined {
  const ends = [
    ...claims.map(({ claimType, expiry }) => ({ what: claimType, at: expiry })),
    ...(hardExpiry === null ? [] : [{ what: 'IDENTITY', at: hardExpiry }]),
  ].filter(({ at }) => at > 0)
  return ends.toSorted((a, b) => a.at - b.at)[0]
}

const SOON = ['', '7', '30', '90'] as const

export function Investors() {
  const { q = '', days = '' } = useSearch({ strict: false }) as { q?: string | number; days?: string | number }
  const navigate = useNavigate()
  const [typed, setTyped] = useState(String(q))
  const [isAdding, setAdding] = useState(false)
  const words = useDeferredValue(typed.trim())
  const query = useInvestors(words, String(days))
  const rows = query.data?.pages.flatMap(({ data }) => data.investors) ?? []
  const columns: readonly Column<Investor>[] = [
    {
      key: 'wallet',
      name: text.columns.wallet,
      cell: ({ walletAddress, registryAddress }) => (
        <span className="inline-flex items-center gap-1.5">
          <Identicon seed={walletAddress} />
          <Link
            to="/investors/$walletAddress"
            params={{ walletAddress }}
            search={{ registry: registryAddress }}
            className="font-mono text-xs hover:underline"
          >
            {shortAddress(walletAddress)}
          </Link>
          <Copy text={walletAddress} label={walletAddress} />
        </span>
      ),
      csv: ({ walletAddress }) => walletAddress,
    },
    {
      key: 'status',
      name: text.columns.status,
      cell: ({ status, frozen }) => <InvestorStatus status={status} frozen={frozen} />,
      csv: ({ status }) => status ?? '',
      sortBy: ({ status }) => status ?? '',
    },
    {
      key: 'country',
      name: text.columns.country,
      cell: ({ country }) => country ?? '–',
      csv: ({ country }) => country ?? '',
    },
    {
      key: 'type',
      name: text.columns.type,
      wide: true,
      cell: ({ investorType }) => (investorType ? showWords(investorType) : '–'),
      csv: ({ investorType }) => investorType ?? '',
    },
    {
      key: 'claims',
      name: text.columns.claims,
      number: true,
      wide: true,
      cell: ({ claims }) => <span className="num">{claims.length} / 8</span>,
      csv: ({ claims }) => claims.map(({ claimType }) => claimType).join(' '),
    },
    {
      key: 'ends',
      name: text.columns.ends,
      cell: (row) => {
        const next = nextEnd(row)
        return next ? (
          <span>
            {text.ends[next.what] ?? next.what} <When at={next.at} as="distance" />
          </span>
        ) : (
          <span className="text-muted">{text.never}</span>
        )
      },
      csv: (row) => {
        const next = nextEnd(row)
        return next ? new Date(next.at * 1000).toISOString() : ''
      },
      sortBy: (row) => nextEnd(row)?.at ?? Number.MAX_SAFE_INTEGER,
    },
    {
      key: 'since',
      name: text.columns.recorded,
      wide: true,
      cell: ({ recordedAt }) => <When at={recordedAt} as="day" />,
      csv: ({ recordedAt }) => recordedAt,
    },
  ]
  return (
    <>
      <PageHead
        title={text.title}
        about={text.about}
        aside={
          <>
            <Link to="/investors/ask" className="text-sm text-accent underline">
              {text.ask}
            </Link>
            <Button look="primary" onClick={() => setAdding(true)}>
              {text.verify}
            </Button>
          </>
        }
      />
      <div className="mb-4 flex flex-wrap items-end gap-3">
        <label className="min-w-56 flex-1 text-xs text-muted">
          {text.search}
          <input
            type="search"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            placeholder={text.searchHint}
            className="mt-1 block h-9 w-full rounded-md border border-strong bg-panel px-3 text-sm text-ink"
          />
        </label>
        <label className="text-xs text-muted">
          {text.endsWithin}
          <select
            value={String(days)}
            onChange={({ target }) =>
              void navigate({ to: '.', search: target.value ? { days: target.value } : {}, replace: true })
            }
            className="mt-1 block h-9 rounded-md border border-strong bg-panel px-2 text-sm text-ink"
          >
            {SOON.map((one) => (
              <option key={one} value={one}>
                {one === '' ? text.any : `${one} ${text.days}`}
              </option>
            ))}
          </select>
        </label>
      </div>
      {query.error ? <Fault error={query.error} again={() => void query.refetch()} /> : null}
      {query.isPending ? (
        <Waiting rows={5} />
      ) : (
        <Table
          title={text.title}
          rows={rows}
          columns={columns}
          rowKey={({ walletAddress, registryAddress }) => `${walletAddress}-${registryAddress}`}
          onOpen={({ walletAddress, registryAddress }) =>
            void navigate({
              to: '/investors/$walletAddress',
              params: { walletAddress },
              search: { registry: registryAddress },
            })
          }
          empty={<Empty title={text.none}>{text.noneAbout}</Empty>}
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
      )}
      {isAdding ? (
        <Dialog title={text.verify} onClose={() => setAdding(false)}>
          <div className="p-5">
            <Verify onDone={() => setAdding(false)} />
          </div>
        </Dialog>
      ) : null}
    </>
  )
}
