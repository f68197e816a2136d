import type { ListDeliveries, ListHooks } from '@tallystick/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import { tally } from '../../api/client.ts'
import { type Market, useMarkets } from '../../api/lending.ts'
import { showWords } from '../../lib/format.ts'
import { t } from '../../texts/index.ts'
import { Badge, Notice, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Copy, When } from '../../ui/figures.tsx'
import { Loaded } from '../../ui/loading.tsx'
import { Empty, PageHead } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { pairOf } from '../market-state.tsx'

const text = t.webhooks
const { lending } = tally
type Hook = ListHooks['data']['hooks'][number]
type Delivery = ListDeliveries['data']['deliveries'][number]
const KINDS = [
  'HEALTH_BELOW',
  'DUE_WITHIN',
  'PRICE_OLDER_THAN',
  'LIEN_SHORTFALL',
  'LOAN_SEIZED',
  'FACT_ORPHANED',
] as const
type Kind = (typeof KINDS)[number]

export function Webhooks() {
  const markets = useMarkets()
  const deployed = (markets.data?.data.markets ?? []).filter(({ marketAddress }) => marketAddress !== null)
  const hooks = useQuery({
    queryKey: ['hooks', deployed.map(({ id }) => id)],
    queryFn: async () => {
      const answers = await Promise.all(deployed.map(({ id }) => lending.listHooks({ params: { marketId: id } })))
      return answers.flatMap(({ data }) => data.hooks)
    },
    enabled: markets.data !== undefined,
  })
  const { act, fault, isBusy } = useAct('hooks')
  const [isAdding, setAdding] = useState(false)
  const [opened, setOpened] = useState<Hook>()
  const [secret, setSecret] = useState<string>()
  const columns: readonly Column<Hook>[] = [
    {
      key: 'name',
      name: text.columns.name,
      cell: ({ name, url }) => (
        <span>
          <span className="font-medium">{name}</span>
          <span className="block font-mono text-xs break-all text-muted">{url}</span>
        </span>
      ),
      csv: ({ name }) => name,
    },
    { key: 'kind', name: text.columns.kind, cell: ({ kind }) => showWords(kind), csv: ({ kind }) => kind },
    {
      key: 'market',
      name: text.columns.market,
      wide: true,
      cell: ({ marketId }) => {
        const market = deployed.find(({ id }) => id === marketId)
        return market ? pairOf(market) : marketId
      },
      csv: ({ marketId }) => marketId,
    },
    {
      key: 'state',
      name: text.columns.state,
      cell: ({ active }) => <Badge tone={active ? 'good' : 'neutral'}>{active ? text.on : text.off}</Badge>,
      csv: ({ active }) => String(active),
    },
    {
      key: 'action',
      name: text.columns.action,
      number: true,
      cell: (hook) => {
        const params = { marketId: hook.marketId, hookId: hook.id }
        return (
          <span className="inline-flex flex-wrap justify-end gap-1">
            <Button small aria-label={`${text.deliveries}: ${hook.name}`} onClick={() => setOpened(hook)}>
              {text.deliveries}
            </Button>
            <Button
              small
              disabled={isBusy}
              aria-label={`${hook.active ? text.turnOff : text.turnOn}: ${hook.name}`}
              onClick={() => void act(() => lending.toggleHook({ params, body: { active: !hook.active } }))}
            >
              {hook.active ? text.turnOff : text.turnOn}
            </Button>
            <Button
              small
              look="danger"
              disabled={isBusy}
              aria-label={`${text.remove}: ${hook.name}`}
              onClick={() => void act(() => lending.deleteHook({ params }))}
            >
              {text.remove}
            </Button>
          </span>
        )
      },
      csv: () => '',
    },
  ]
  return (
    <>
      <PageHead
        title={text.title}
        about={text.about}
        aside={
          <Button look="primary" disabled={deployed.length === 0} onClick={() => setAdding(true)}>
            {text.add}
          </Button>
        }
      />
      <div className="space-y-4">
        {fault ? <Notice tone="bad">{fault}</Notice> : null}
        <Loaded query={hooks} rows={3}>
          {(rows) => (
            <Table
              title={text.title}
              rows={rows}
              columns={columns}
              rowKey={({ id }) => id}
              empty={<Empty title={text.none}>{text.noneAbout}</Empty>}
            />
          )}
        </Loaded>
      </div>
      {isAdding ? <AddHook markets={deployed} onClose={() => setAdding(false)} onSecret={setSecret} /> : null}
      {opened ? <Deliveries hook={opened} onClose={() => setOpened(undefined)} /> : null}
      {secret ? (
        <Dialog title={text.secret} onClose={() => setSecret(undefined)}>
          <div className="space-y-3 p-5">
            <Notice tone="warn">{text.secretAbout}</Notice>
            <p className="flex items-center gap-1 rounded-md bg-raised px-3 py-2 font-mono text-xs break-all">
              {secret} <Copy text={secret} label={text.secret} />
            </p>
          </div>
        </Dialog>
      ) : null}
    </>
  )
}

interface AddProps {
  readonly markets: readonly Market[]
  readonly onClose: () => void
  readonly onSecret: (secret: string) => void
}

function AddHook({ markets, onClose, onSecret }: AddProps) {
  const [marketId, setMarketId] = useState(markets[0]?.id ?? '')
  const [kind, setKind] = useState<Kind>('HEALTH_BELOW')
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [limit, setLimit] = useState('1.1')
  const { act, fault, isBusy } = useAct('hooks')
  const bound =
    kind === 'HEALTH_BELOW'
      ? { threshold: limit.trim() }
      : kind === 'DUE_WITHIN' || kind === 'PRICE_OLDER_THAN'
        ? { seconds: Number(limit) }
        : {}
  return (
    <Dialog title={text.add} onClose={onClose}>
      <form
        className="space-y-4 p-5"
        onSubmit={(event) => {
          event.preventDefault()
          const body = { name: name.trim(), url: url.trim(), kind, ...bound }
          void act(() => lending.createHook({ params: { marketId }, body })).then((done) => {
            if (!done) return
            onClose()
            onSecret(done.data.secret)
          })
        }}
      >
        <Choice
          label={text.columns.market}
          value={marketId}
          options={markets.map((market) => ({ value: market.id, name: pairOf(market) }))}
          onChange={setMarketId}
        />
        <Choice
          label={text.columns.kind}
          value={kind}
          options={KINDS.map((one) => ({ value: one, name: showWords(one) }))}
          onChange={setKind}
        />
        {Object.keys(bound).length > 0 ? (
          <Field
            label={kind === 'HEALTH_BELOW' ? text.threshold : text.seconds}
            value={limit}
            onChange={setLimit}
            inputMode="decimal"
          />
        ) : null}
        <Field label={text.columns.name} value={name} onChange={setName} />
        <Field label={text.url} value={url} onChange={setUrl} placeholder="https://…" />
        {fault ? <Notice tone="bad">{fault}</Notice> : null}
        <Button
          type="submit"
          look="primary"
          className="w-full"
          disabled={isBusy || name.trim() === '' || url.trim() === ''}
        >
          {text.add}
        </Button>
      </form>
    </Dialog>
  )
}

const TONES: Readonly<Record<Delivery['status'], Tone>> = {
  PENDING: 'neutral',
  RETRYING: 'warn',
  DELIVERED: 'good',
  FAILED: 'bad',
}

function Deliveries({ hook, onClose }: { hook: Hook; onClose: () => void }) {
  const params = { marketId: hook.marketId, hookId: hook.id }
  const query = useQuery({
    queryKey: ['deliveries', hook.id],
    queryFn: () => lending.listDeliveries({ params }),
    refetchInterval: 5_000,
  })
  const { act, fault, isBusy } = useAct('deliveries')
  const columns: readonly Column<Delivery>[] = [
    {
      key: 'at',
      name: text.columns.at,
      cell: ({ createdAt }) => <When at={createdAt} />,
      csv: ({ createdAt }) => createdAt,
    },
    { key: 'type', name: text.columns.type, cell: ({ type }) => type, csv: ({ type }) => type },
    {
      key: 'status',
      name: text.columns.state,
      cell: ({ status, responseCode, error }) => (
        <span title={error ?? undefined}>
          <Badge tone={TONES[status]}>{showWords(status)}</Badge> <span className="num">{responseCode ?? ''}</span>
        </span>
      ),
      csv: ({ status }) => status,
    },
    {
      key: 'action',
      name: text.columns.action,
      number: true,
      cell: ({ id }) => (
        <Button
          small
          disabled={isBusy}
          onClick={() => void act(() => lending.redeliver({ params: { ...params, deliveryId: id } }))}
        >
          {text.replay}
        </Button>
      ),
      csv: () => '',
    },
  ]
  return (
    <Dialog side title={`${text.deliveries}: ${hook.name}`} onClose={onClose}>
      <div className="flex-1 space-y-3 overflow-y-auto p-4">
        {fault ? <Notice tone="bad">{fault}</Notice> : null}
        <Button small disabled={isBusy || !hook.active} onClick={() => void act(() => lending.testHook({ params }))}>
          {text.test}
        </Button>
        <Loaded query={query} rows={5}>
          {({ data }) => (
            <Table
              title={text.deliveries}
              rows={data.deliveries}
              columns={columns}
              rowKey={({ id }) => id}
              empty={<Empty title={text.noDeliveries} />}
            />
          )}
        </Loaded>
      </div>
    </Dialog>
  )
}
