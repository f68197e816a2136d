import type { Hex } from '@tallystick/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type BuiltTransaction, getTransaction, listTransactions, type TransactionStatus } from '../api/access.ts'
import { useSignedIn } from '../api/session.ts'
import { shortAddress } from '../lib/format.ts'
import { jobFound, keepHashes, openJob, sentHashes } from '../signing/job.ts'
import { t } from '../texts/index.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Copy, When } from '../ui/figures.tsx'
import { Fault, Waiting } from '../ui/loading.tsx'
import { Empty, PageHead } from '../ui/panel.tsx'
import { type Column, Table } from '../ui/table.tsx'

const text = t.transactions
const TONES: Record<TransactionStatus, Tone> = {
  PENDING: 'warn',
  REJECTED: 'bad',
  EXPIRED: 'neutral',
  BUILT: 'accent',
  SENT: 'accent',
  MINED: 'accent',
  FINAL: 'good',
  UNDONE: 'bad',
}

/** Opens the drawer where it was left; a hash that another browser sent is known here too. */
async function takeUp(transactionId: string): Promise<void> {
  const found = await getTransaction(transactionId)
  const { txHash } = found
  const job = jobFound(found)
  if (txHash && sentHashes(job.id).length < job.calls.length)
    keepHashes(
      job.id,
      job.calls.map(() => txHash as Hex),
    )
  openJob(job)
}

function Actions({ row }: { row: BuiltTransaction }) {
  const [fault, setFault] = useState<unknown>()
  const { user } = useSignedIn()
  // Somebody else built it, and this one may decide.
  const isMine =
    row.status === 'PENDING' &&
    (user?.role === 'approver' || user?.role === 'admin') &&
    row.maker.userId !== user.userId
  if (fault !== undefined) return <Fault error={fault} again={() => setFault(undefined)} />
  return (
    <Button small onClick={() => void takeUp(row.transactionId).catch(setFault)}>
      {row.status === 'BUILT' ? text.continue : isMine ? text.review : text.view}
    </Button>
  )
}

/** The one that a link names is opened at once. */
function useNamed(): unknown {
  const { transactionId } = useParams({ strict: false })
  const [fault, setFault] = useState<unknown>()
  useEffect(() => {
    setFault(undefined)
    if (transactionId) void takeUp(transactionId).catch(setFault)
  }, [transactionId])
  return fault
}

export function Transactions() {
  const unknown = useNamed()
  const [status, setStatus] = useState<TransactionStatus | ''>('')
  const query = useInfiniteQuery({
    queryKey: ['transactions'],
    queryFn: ({ pageParam }) => listTransactions(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: 5_000,
  })
  const all = query.data?.pages.flatMap(({ transactions }) => transactions) ?? []
  const rows = status === '' ? all : all.filter((row) => row.status === status)
  const columns: readonly Column<BuiltTransaction>[] = [
    {
      key: 'what',
      name: text.columns.what,
      cell: ({ summary }) => <span className="block max-w-lg min-w-48 font-medium">{summary}</span>,
      csv: ({ summary }) => summary,
    },
    {
      key: 'status',
      name: text.columns.status,
      cell: (row) => <Badge tone={TONES[row.status]}>{text.status[row.status]}</Badge>,
      csv: (row) => row.status,
    },
    { key: 'by', name: text.columns.by, wide: true, cell: ({ maker }) => maker.name, csv: ({ maker }) => maker.name },
    {
      key: 'built',
      name: text.columns.built,
      wide: true,
      cell: ({ builtAt }) => <When at={builtAt} />,
      csv: ({ builtAt }) => builtAt,
      sortBy: ({ builtAt }) => builtAt,
    },
    {
      key: 'block',
      name: text.columns.block,
      wide: true,
      number: true,
      cell: ({ blockNumber }) => <span className="num">{blockNumber ?? '–'}</span>,
      csv: ({ blockNumber }) => blockNumber ?? '',
    },
    {
      key: 'hash',
      name: text.columns.hash,
      wide: true,
      cell: ({ txHash }) =>
        txHash ? (
          <span className="inline-flex items-center font-mono text-xs" title={txHash}>
            {shortAddress(txHash)} <Copy text={txHash} label={text.columns.hash} />
          </span>
        ) : (
          '–'
        ),
      csv: ({ txHash }) => txHash ?? '',
    },
    {
      key: 'action',
      name: text.columns.action,
      number: true,
      cell: (row) => <Actions row={row} />,
      csv: () => '',
    },
  ]
  return (
    <>
      <PageHead title={text.title} about={text.about} />
      {unknown === undefined ? null : <Fault error={unknown} />}
      {query.error && all.length === 0 ? <Fault error={query.error} again={() => void query.refetch()} /> : null}
      {query.isPending ? (
        <Waiting rows={6} />
      ) : (
        <Table
          title={text.title}
          rows={rows}
          columns={columns}
          rowKey={({ transactionId }) => transactionId}
          aside={
            <label className="flex items-center gap-1.5 text-xs text-muted">
              {text.filter}
              <select
                value={status}
                onChange={(event) => setStatus(event.target.value as TransactionStatus | '')}
                className="h-7 rounded-md border border-line bg-panel px-1.5 text-xs text-ink"
              >
                <option value="">{text.all}</option>
                {Object.entries(text.status).map(([key, name]) => (
                  <option key={key} value={key}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          }
          empty={
            <Empty
              title={text.empty}
              action={
                <Link to="/markets" className="text-accent underline">
                  {text.toMarkets}
                </Link>
              }
            >
              {text.emptyAbout}
            </Empty>
          }
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
    </>
  )
}
