import type { ListAudit, ListWallets } from '@tallystick/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import { tally } from '../../api/client.ts'
import { useMarkets } from '../../api/lending.ts'
import { shortAddress, showInteger, showWords } from '../../lib/format.ts'
import { t } from '../../texts/index.ts'
import { Badge, Notice } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Address, Copy, When } from '../../ui/figures.tsx'
import { Fault, Loaded, Waiting } from '../../ui/loading.tsx'
import { Empty, Fact, Facts, PageHead, Panel } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { pairOf } from '../market-state.tsx'
import { AddWallet } from './add-wallet.tsx'

const text = t.instance
const { access, lending } = tally
type Wallet = ListWallets['data'][number]
type Act = ListAudit['data']['acts'][number]

export function Wallets() {
  const wallets = useQuery({ queryKey: ['wallets'], queryFn: () => access.listWallets({}) })
  const { act, fault, isBusy } = useAct('wallets')
  const [isAdding, setAdding] = useState(false)
  const columns: readonly Column<Wallet>[] = [
    {
      key: 'address',
      name: text.columns.wallet,
      cell: ({ address, label }) => <Address value={address} name={label} />,
      csv: ({ address }) => address,
    },
    {
      key: 'primary',
      name: text.columns.primary,
      wide: true,
      cell: ({ primary }) => (primary ? <Badge tone="accent">{text.primary}</Badge> : '–'),
      csv: ({ primary }) => String(primary),
    },
    {
      key: 'by',
      name: text.columns.verifiedBy,
      wide: true,
      cell: ({ verifiedBy }) => <span title={verifiedBy}>{text.proofs[verifiedBy] ?? verifiedBy}</span>,
      csv: ({ verifiedBy }) => verifiedBy,
    },
    {
      key: 'since',
      name: text.columns.since,
      wide: true,
      cell: ({ verifiedAt }) => <When at={verifiedAt} as="day" />,
      csv: ({ verifiedAt }) => verifiedAt,
    },
    {
      key: 'action',
      name: text.columns.action,
      number: true,
      cell: ({ address, primary }) =>
        primary ? null : (
          <span className="inline-flex flex-wrap justify-end gap-1">
            <Button
              small
              disabled={isBusy}
              aria-label={`${text.promote} ${address}`}
              onClick={() => void act(() => access.promoteWallet({ params: { address } }))}
            >
              {text.promote}
            </Button>
            <Button
              small
              look="danger"
              disabled={isBusy}
              aria-label={`${text.remove} ${address}`}
              onClick={() => void act(() => access.removeWallet({ params: { address } }))}
            >
              {text.remove}
            </Button>
          </span>
        ),
      csv: () => '',
    },
  ]
  return (
    <>
      <PageHead
        title={text.wallets}
        about={text.walletsAbout}
        aside={
          <Button look="primary" onClick={() => setAdding(true)}>
            {text.add.title}
          </Button>
        }
      />
      {fault ? <Notice tone="bad">{fault}</Notice> : null}
      <Loaded query={wallets} rows={4}>
        {({ data }) => (
          <Table
            title={text.wallets}
            rows={data}
            columns={columns}
            rowKey={({ address }) => address}
            empty={<Empty title={text.noWallets}>{text.noWalletsAbout}</Empty>}
          />
        )}
      </Loaded>
      {isAdding ? <AddWallet onClose={() => setAdding(false)} /> : null}
    </>
  )
}

export function Health() {
  const health = useQuery({ queryKey: ['health'], queryFn: () => access.getHealth({}), refetchInterval: 5_000 })
  const register = useQuery({ queryKey: ['register', 'health'], queryFn: () => tally.register.getRegisterHealth({}) })
  return (
    <>
      <PageHead title={text.health} about={text.healthAbout} />
      <div className="grid gap-4 lg:grid-cols-2">
        <Panel title={text.parts}>
          <Loaded query={health} rows={4}>
            {({ data: { parts, status, version } }) => (
              <Facts>
                <Fact name={text.state}>
                  <Badge tone={status === 'ready' ? 'good' : status === 'degraded' ? 'warn' : 'bad'}>{status}</Badge>
                </Fact>
                <Fact name={text.version}>{version}</Fact>
                {parts.map(({ part, ready, reason }) => (
                  <Fact key={part} name={showWords(part)}>
                    <Badge tone={ready ? 'good' : 'bad'}>{ready ? text.works : (reason ?? text.fails)}</Badge>
                  </Fact>
                ))}
              </Facts>
            )}
          </Loaded>
        </Panel>
        <Panel title={text.chains}>
          <Loaded query={health} rows={2}>
            {({ data: { chains } }) => (
              <Facts>
                {chains.map(({ chainId, followedTo, movedAt }) => (
                  <Fact key={chainId} name={`${text.chain} ${chainId}`}>
                    {t.asOf.block} <span className="num">{followedTo}</span> · <When at={movedAt} as="distance" />
                  </Fact>
                ))}
              </Facts>
            )}
          </Loaded>
        </Panel>
        <Invariants />
        <Panel title={t.register.title}>
          <Loaded query={register} rows={2}>
            {({ data }) => (
              <Facts>
                <Fact name={text.state}>
                  <Badge tone={data.status === 'operational' ? 'good' : 'warn'}>{data.status}</Badge>
                </Fact>
                <Fact name={t.register.entities}>
                  <span className="num">{showInteger(data.totalIssuers)}</span>
                </Fact>
                <Fact name={text.lastSync}>
                  <When at={data.lastSync} />
                </Fact>
              </Facts>
            )}
          </Loaded>
        </Panel>
      </div>
    </>
  )
}

/** Whether the collateral of every market is there, as the watcher saw it last. */
function Invariants() {
  const markets = useMarkets()
  const deployed = (markets.data?.data.markets ?? []).filter(({ marketAddress }) => marketAddress !== null)
  const liens = useQuery({
    queryKey: ['liens', deployed.map(({ id }) => id)],
    queryFn: async () => Promise.all(deployed.map(({ id }) => lending.listLiens({ params: { marketId: id } }))),
    enabled: markets.data !== undefined,
    refetchInterval: 15_000,
  })
  return (
    <Panel title={text.invariants}>
      <p className="mb-2 text-sm text-muted">{text.invariantsAbout}</p>
      <Loaded query={liens} rows={3}>
        {(answers) =>
          answers.length === 0 ? (
            <Empty title={text.noMarkets} />
          ) : (
            <Facts>
              {answers.map(({ data: { marketId, intact, open, lastPass } }) => {
                const market = deployed.find(({ id }) => id === marketId)
                return (
                  <Fact key={marketId} name={market ? pairOf(market) : marketId}>
                    <Badge tone={intact === null ? 'neutral' : intact ? 'good' : 'bad'}>
                      {intact === null ? text.notKnown : intact ? text.intact : `${open.length} ${text.short}`}
                    </Badge>{' '}
                    <When at={lastPass?.at} as="distance" />
                  </Fact>
                )
              })}
            </Facts>
          )
        }
      </Loaded>
    </Panel>
  )
}

const changed = (fields: Act['before']): string => (fields === null ? '' : JSON.stringify(fields))

/** Longer ones are ids and addresses, which nobody reads to the end. */
const LONG = 16

const valueText = (value: unknown): string =>
  typeof value === 'boolean'
    ? value
      ? t.yes
      : t.no
    : Array.isArray(value)
      ? value.map(valueText).join(', ')
      : typeof value === 'object' && value !== null
        ? JSON.stringify(value)
        : String(value)

/** What an act set, in words. The file has it as it is. */
function Fields({ of }: { of: Act['before'] }) {
  const said = Object.entries(of ?? {}).filter(([, value]) => value !== null)
  if (said.length === 0) return '–'
  return said.map(([name, value]) => (
    <span key={name} className="block text-xs wrap-anywhere">
      <span className="text-muted">{showWords(name)}</span> {valueText(value)}
    </span>
  ))
}

export function Audit() {
  const query = useInfiniteQuery({
    queryKey: ['audit'],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      access.listAudit({ query: { limit: '100', ...(pageParam ? { cursor: pageParam } : {}) } }),
    getNextPageParam: ({ data }) => data.nextCursor ?? undefined,
  })
  const rows = query.data?.pages.flatMap(({ data }) => data.acts) ?? []
  const columns: readonly Column<Act>[] = [
    { key: 'at', name: text.columns.at, cell: ({ at }) => <When at={at} />, csv: ({ at }) => at },
    {
      key: 'what',
      name: text.columns.what,
      cell: ({ operation }) => (
        <span className="font-medium" title={operation}>
          {showWords(operation)}
        </span>
      ),
      csv: ({ operation }) => operation,
    },
    {
      key: 'who',
      name: text.columns.who,
      cell: ({ userName, keyName, actor }) => userName ?? keyName ?? actor,
      csv: ({ userName, keyName, actor }) => userName ?? keyName ?? actor,
    },
    {
      key: 'subject',
      name: text.columns.subject,
      wide: true,
      cell: ({ subject }) => (
        <span className="inline-flex items-center font-mono text-xs" title={subject}>
          {subject.length > LONG ? shortAddress(subject) : subject} <Copy text={subject} label={text.columns.subject} />
        </span>
      ),
      csv: ({ subject }) => subject,
    },
    {
      key: 'before',
      name: text.columns.before,
      wide: true,
      cell: ({ before }) => <Fields of={before} />,
      csv: ({ before }) => changed(before),
    },
    {
      key: 'after',
      name: text.columns.after,
      wide: true,
      cell: ({ after }) => <Fields of={after} />,
      csv: ({ after }) => changed(after),
    },
  ]
  return (
    <>
      <PageHead title={text.audit} about={text.auditAbout} />
      {query.error ? <Fault error={query.error} again={() => void query.refetch()} /> : null}
      {query.isPending ? (
        <Waiting rows={6} />
      ) : (
        <Table
          title={text.audit}
          rows={rows}
          columns={columns}
          rowKey={({ actId }) => actId}
          empty={<Empty title={text.noActs} />}
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
