import type { ListKeyRequests, ListKeys } from '@tallystick/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import { tally } from '../../api/client.ts'
import { useSignedIn } from '../../api/session.ts'
import { showWords } from '../../lib/format.ts'
import { t } from '../../texts/index.ts'
import { Badge, Notice, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Copy, When } from '../../ui/figures.tsx'
import { Loaded } from '../../ui/loading.tsx'
import { Empty, PageHead } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'

const text = t.keys
type Key = ListKeys['data'][number]
type Request = ListKeyRequests['data']['requests'][number]
const { access } = tally

const TONES: Readonly<Record<Key['status'], Tone>> = {
  ACTIVE: 'good',
  PENDING_ROTATION: 'warn',
  REVOKED: 'bad',
  EXPIRED: 'neutral',
}

export function Keys() {
  const keys = useQuery({ queryKey: ['keys'], queryFn: () => access.listKeys({}), refetchInterval: 15_000 })
  const { act, fault, isBusy } = useAct('keys')
  const [asking, setAsking] = useState<{ kind: 'create' } | { kind: 'log' | 'revoke'; of: Key }>()
  const [secret, setSecret] = useState<string>()
  const rotate = async (keyId: string) => {
    const done = await act(() => access.rotateKey({ params: { keyId } }))
    if (done) setSecret(done.data.apiKey)
  }
  const columns: readonly Column<Key>[] = [
    {
      key: 'name',
      name: text.columns.name,
      cell: ({ name, ref }) => (
        <span>
          <span className="font-medium">{name}</span>{' '}
          <span className="font-mono text-xs text-muted">tally_{ref}_…</span>
        </span>
      ),
      csv: ({ name }) => name,
      sortBy: ({ name }) => name,
    },
    {
      key: 'status',
      name: text.columns.status,
      cell: ({ status }) => <Badge tone={TONES[status]}>{showWords(status)}</Badge>,
      csv: ({ status }) => status,
    },
    {
      key: 'used',
      name: text.columns.used,
      wide: true,
      cell: ({ lastUsedAt }) =>
        lastUsedAt ? <When at={lastUsedAt} as="distance" /> : <span className="text-muted">{text.unused}</span>,
      csv: ({ lastUsedAt }) => lastUsedAt ?? '',
      sortBy: ({ lastUsedAt }) => lastUsedAt ?? '',
    },
    {
      key: 'scopes',
      name: text.columns.scopes,
      wide: true,
      number: true,
      cell: ({ scopes }) => (
        <span className="num" title={scopes.join(', ')}>
          {scopes.length}
        </span>
      ),
      csv: ({ scopes }) => scopes.join(' '),
    },
    {
      key: 'created',
      name: text.columns.created,
      wide: true,
      cell: ({ createdAt }) => <When at={createdAt} as="day" />,
      csv: ({ createdAt }) => createdAt,
    },
    {
      key: 'action',
      name: text.columns.action,
      number: true,
      cell: (key) => (
        <span className="inline-flex flex-wrap justify-end gap-1">
          <Button small aria-label={`${text.log}: ${key.name}`} onClick={() => setAsking({ kind: 'log', of: key })}>
            {text.log}
          </Button>
          {key.status === 'ACTIVE' ? (
            <>
              <Button
                small
                disabled={isBusy}
                aria-label={`${text.rotate}: ${key.name}`}
                onClick={() => void rotate(key.keyId)}
              >
                {text.rotate}
              </Button>
              <Button
                small
                look="danger"
                aria-label={`${text.revoke}: ${key.name}`}
                onClick={() => setAsking({ kind: 'revoke', of: key })}
              >
                {text.revoke}
              </Button>
            </>
          ) : null}
        </span>
      ),
      csv: () => '',
    },
  ]
  return (
    <>
      <PageHead
        title={text.title}
        about={text.about}
        aside={
          <Button look="primary" onClick={() => setAsking({ kind: 'create' })}>
            {text.create}
          </Button>
        }
      />
      <div className="space-y-4">
        {fault ? <Notice tone="bad">{fault}</Notice> : null}
        <Loaded query={keys} rows={4}>
          {({ data }) => (
            <Table
              title={text.title}
              rows={data}
              columns={columns}
              rowKey={({ keyId }) => keyId}
              empty={<Empty title={text.none} />}
            />
          )}
        </Loaded>
      </div>
      {asking?.kind === 'create' ? <CreateKey onClose={() => setAsking(undefined)} onSecret={setSecret} /> : null}
      {asking?.kind === 'log' ? <RequestLog of={asking.of} onClose={() => setAsking(undefined)} /> : null}
      {asking?.kind === 'revoke' ? (
        <Dialog title={`${text.revoke}: ${asking.of.name}`} onClose={() => setAsking(undefined)}>
          <div className="space-y-4 p-5">
            <p className="text-sm">{text.revokeAbout}</p>
            <Button
              look="danger"
              className="w-full"
              disabled={isBusy}
              onClick={() =>
                void act(() => access.revokeKey({ params: { keyId: asking.of.keyId } })).then(() =>
                  setAsking(undefined),
                )
              }
            >
              {text.revoke}
            </Button>
          </div>
        </Dialog>
      ) : null}
      {secret ? (
        <Dialog title={text.secretTitle} onClose={() => setSecret(undefined)}>
          <div className="space-y-3 p-5">
            <Notice tone="warn">{text.secretAbout}</Notice>
            <p className="flex items-center gap-1 rounded-md bg-raised px-3 py-2 font-mono text-xs break-all">
              {secret} <Copy text={secret} label={text.secretTitle} />
            </p>
          </div>
        </Dialog>
      ) : null}
    </>
  )
}

/** What an administrator holds, the new key may hold; here everything or reading only. */
function CreateKey({ onClose, onSecret }: { onClose: () => void; onSecret: (secret: string) => void }) {
  const { scopes } = useSignedIn()
  const [name, setName] = useState('')
  const [isReading, setReading] = useState(true)
  const { act, fault, isBusy } = useAct('keys')
  return (
    <Dialog title={text.create} onClose={onClose}>
      <form
        className="space-y-4 p-5"
        onSubmit={(event) => {
          event.preventDefault()
          const wanted = scopes.filter((scope) => !isReading || scope.endsWith(':read')) as Key['scopes'][number][]
          void act(() => access.createKey({ body: { name: name.trim(), scopes: wanted } })).then((done) => {
            if (!done) return
            onClose()
            onSecret(done.data.apiKey)
          })
        }}
      >
        <Field label={text.columns.name} value={name} onChange={setName} />
        <label className="flex items-center gap-2 text-sm">
          <input type="checkbox" checked={isReading} onChange={({ target }) => setReading(target.checked)} />{' '}
          {text.readOnly}
        </label>
        {fault ? <Notice tone="bad">{fault}</Notice> : null}
        <Button type="submit" look="primary" className="w-full" disabled={isBusy || name.trim() === ''}>
          {text.create}
        </Button>
      </form>
    </Dialog>
  )
}

function RequestLog({ of: { keyId, name }, onClose }: { of: Key; onClose: () => void }) {
  const query = useQuery({
    queryKey: ['key-requests', keyId],
    queryFn: () => access.listKeyRequests({ params: { keyId } }),
    refetchInterval: 5_000,
  })
  const columns: readonly Column<Request>[] = [
    { key: 'at', name: text.columns.at, cell: ({ at }) => <When at={at} />, csv: ({ at }) => at },
    {
      key: 'request',
      name: text.columns.request,
      cell: ({ method, path }) => (
        <span className="font-mono text-xs break-all">
          {method} {path}
        </span>
      ),
      csv: ({ method, path }) => `${method} ${path}`,
    },
    {
      key: 'status',
      name: text.columns.status,
      number: true,
      cell: ({ status }) => <Badge tone={status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'}>{status}</Badge>,
      csv: ({ status }) => String(status),
      sortBy: ({ status }) => status,
    },
    {
      key: 'took',
      name: text.columns.took,
      number: true,
      wide: true,
      cell: ({ durationMs }) => <span className="num">{durationMs} ms</span>,
      csv: ({ durationMs }) => String(durationMs),
      sortBy: ({ durationMs }) => durationMs,
    },
  ]
  return (
    <Dialog side title={`${text.log}: ${name}`} about={text.logAbout} onClose={onClose}>
      <div className="flex-1 overflow-y-auto p-4">
        <Loaded query={query} rows={6}>
          {({ data }) => (
            <Table
              title={text.log}
              rows={data.requests}
              columns={columns}
              rowKey={({ requestId }) => requestId}
              empty={<Empty title={text.noRequests} />}
            />
          )}
        </Loaded>
      </div>
    </Dialog>
  )
}
