import type { Address as AddressValue, GetImport } from '@tallystick/sdk'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import { tally } from '../../api/client.ts'
import { useImport, useStocks } from '../../api/registry.ts'
import { showWords } from '../../lib/format.ts'
import { t } from '../../texts/index.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Badge, Notice } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Address, Amount, When } from '../../ui/figures.tsx'
import { Loaded } from '../../ui/loading.tsx'
import { Empty, Fact, Facts, PageHead, Panel, Stat, Stats } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'

const text = t.tokens
type Imported = GetImport['data']
type Profile = NonNullable<Imported['profile']>

export function TokenPage() {
  const { tokenAddress = '' } = useParams({ strict: false })
  const query = useImport(tokenAddress as AddressValue)
  return (
    <Loaded query={query} rows={8}>
      {({ data }) => <Details token={data} />}
    </Loaded>
  )
}

const shownFact = (value: unknown): string =>
  value === null || value === undefined ? '–' : typeof value === 'object' ? JSON.stringify(value) : String(value)

function Details({ token }: { token: Imported }) {
  const { tokenAddress } = token
  const { act, fault, isBusy } = useAct('imports', 'import')
  const [note, setNote] = useState<string>()
  const [isRevoking, setRevoking] = useState(false)
  const navigate = useNavigate()
  const stocks = useStocks()
  const isOwn = stocks.data?.data.some((stock) => stock.tokenAddress === tokenAddress) === true
  async function refresh() {
    const done = await act(() => tally.tokens.refreshImport({ params: { tokenAddress } }))
    if (done) setNote(done.data.frameworkMatches ? text.refreshed : text.frameworkChanged)
  }
  async function revoke() {
    if (await act(() => tally.tokens.revokeImport({ params: { tokenAddress } }))) await navigate({ to: '/tokens' })
  }
  return (
    <>
      <PageHead
        back={<BackLink to="/tokens" name={text.title} />}
        title={token.name}
        about={
          <span className="inline-flex flex-wrap items-center gap-2">
            {token.symbol} <Badge tone="accent">{text.frameworks[token.framework]}</Badge>{' '}
            <Address value={tokenAddress} />
            {isOwn ? (
              <Link to="/cap-table/$tokenAddress" params={{ tokenAddress }} className="text-accent underline">
                {t.capTable.title}
              </Link>
            ) : null}
          </span>
        }
        aside={
          <>
            <Button disabled={isBusy} onClick={() => void refresh()}>
              {text.refresh}
            </Button>
            <Button look="danger" disabled={isBusy} onClick={() => (isRevoking ? void revoke() : setRevoking(true))}>
              {isRevoking ? text.revokeSure : text.revoke}
            </Button>
          </>
        }
      />
      <div className="space-y-4">
        {fault ? <Notice tone="bad">{fault}</Notice> : null}
        {note ? <Notice>{note}</Notice> : null}
        <Stats>
          <Stat name={text.columns.supply} note={<When at={token.totalSupplyAt} />}>
            <Amount value={token.totalSupply} unit={token.symbol} />
          </Stat>
          <Stat name={text.decimals}>
            <span className="num">{token.decimals}</span>
          </Stat>
          <Stat name={text.columns.type}>{showWords(token.assetType)}</Stat>
          <Stat name={text.columns.imported}>
            <When at={token.importedAt} as="day" />
          </Stat>
        </Stats>
        <Warnings token={token} />
        <div className="grid gap-4 lg:grid-cols-2">
          <ProfileForm token={token} />
          <Panel title={text.facts}>
            {Object.keys(token.metadata).length === 0 ? (
              <Empty title={text.noFacts} />
            ) : (
              <Facts>
                {Object.entries(token.metadata).map(([key, value]) => (
                  <Fact key={key} name={showWords(key)}>
                    <span className="font-mono text-xs break-all">{shownFact(value)}</span>
                  </Fact>
                ))}
              </Facts>
            )}
          </Panel>
        </div>
        <Evidence rows={token.evidence} />
      </div>
    </>
  )
}

function Warnings({ token: { warnings, framework } }: { token: Imported }) {
  if (warnings.length === 0) return framework === 'erc20' ? <Notice>{text.noWarnings}</Notice> : null
  return (
    <Panel title={text.columns.warnings}>
      <ul className="space-y-2">
        {warnings.map(({ code, message, functions }) => (
          <li key={code}>
            <Notice tone="warn">
              <span className="font-medium">{showWords(code)}</span>: {message}{' '}
              <span className="font-mono text-xs break-all">{functions.join(', ')}</span>
            </Notice>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const FIELDS = ['issuerName', 'jurisdiction', 'sector', 'isin', 'website', 'prospectusURI'] as const

/** What the issuer publishes; documents and the class of a commodity stay as they are. */
function ProfileForm({ token: { tokenAddress, profile } }: { token: Imported }) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(FIELDS.map((key) => [key, profile?.[key] ?? ''])),
  )
  const [isSaved, setSaved] = useState(false)
  const { act, fault, isBusy } = useAct('import')
  async function save() {
    const given = Object.fromEntries(Object.entries(typed).filter(([, value]) => value.trim() !== ''))
    const kept: Profile = {
      ...(profile?.documents ? { documents: profile.documents } : {}),
      ...(profile?.commodity ? { commodity: profile.commodity } : {}),
    }
    const next = { ...kept, ...given }
    const body = { profile: Object.keys(next).length === 0 ? null : next }
    if (await act(() => tally.tokens.setProfile({ params: { tokenAddress }, body }))) setSaved(true)
  }
  return (
    <Panel title={text.profile}>
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {FIELDS.map((key) => (
          <Field
            key={key}
            label={text.profileFields[key]}
            value={typed[key] ?? ''}
            onChange={(value) => {
              setTyped({ ...typed, [key]: value })
              setSaved(false)
            }}
          />
        ))}
        {profile?.documents?.map(({ name, uri }) => (
          <p key={uri} className="text-sm">
            {name} <span className="font-mono text-xs break-all text-muted">{uri}</span>
          </p>
        ))}
        {fault ? <Notice tone="bad">{fault}</Notice> : null}
        {isSaved ? <Notice tone="good">{text.published}</Notice> : null}
        <Button type="submit" look="primary" disabled={isBusy}>
          {text.publish}
        </Button>
      </form>
    </Panel>
  )
}

type EvidenceRow = Imported['evidence'][number]

function Evidence({ rows }: { rows: readonly EvidenceRow[] }) {
  const columns: readonly Column<EvidenceRow>[] = [
    {
      key: 'call',
      name: text.columns.call,
      cell: ({ call }) => <span className="font-mono text-xs break-all">{call}</span>,
      csv: ({ call }) => call,
    },
    {
      key: 'outcome',
      name: text.columns.outcome,
      cell: ({ outcome }) => showWords(outcome),
      csv: ({ outcome }) => outcome,
    },
    {
      key: 'value',
      name: text.columns.value,
      cell: ({ value }) => <span className="font-mono text-xs break-all">{value ?? '–'}</span>,
      csv: ({ value }) => value ?? '',
    },
  ]
  return (
    <Table
      title={text.evidence}
      rows={rows}
      columns={columns}
      rowKey={({ call, outcome }) => `${call}-${outcome}`}
      empty={<Empty title={text.noEvidence} />}
    />
  )
}
