import type { GetIssuer, ListRegisterChanges, SearchIssuers } from '@tallystick/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { tally } from '../../api/client.ts'
import { showInteger, showWords } from '../../lib/format.ts'
import { t } from '../../texts/index.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Badge, Notice, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Copy, When } from '../../ui/figures.tsx'
import { Fault, Loaded, Waiting } from '../../ui/loading.tsx'
import { Empty, Fact, Facts, PageHead, Panel, Stat, Stats } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Tabs } from '../../ui/tabs.tsx'

const text = t.register
const { register } = tally
type Found = SearchIssuers['data'][number]
type Change = ListRegisterChanges['data'][number]
type Entity = GetIssuer['data']

const TONES: Readonly<Record<string, Tone>> = { active: 'good', expired: 'warn', non_compliant: 'bad' }
const Standing = ({ status }: { status: string }) => (
  <Badge tone={TONES[status] ?? 'neutral'}>{text.status[status] ?? status}</Badge>
)

export function Register() {
  const { q = '', tab = 'search' } = useSearch({ strict: false }) as { q?: string | number; tab?: string }
  const navigate = useNavigate()
  const tabs = [
    { key: 'search', name: text.search, content: <Search start={String(q)} /> },
    { key: 'changes', name: text.changes, content: <Changes /> },
    { key: 'sources', name: text.sources, content: <Sources /> },
  ]
  return (
    <>
      <PageHead title={text.title} about={text.about} />
      <Tabs
        label={text.title}
        tabs={tabs}
        value={tab}
        onChange={(next) => void navigate({ to: '.', search: { tab: next }, replace: true })}
      />
    </>
  )
}

const columns: readonly Column<Found>[] = [
  {
    key: 'name',
    name: text.columns.name,
    cell: ({ id, entityName, commercialName }) => (
      <span>
        <Link to="/register/$entityId" params={{ entityId: id }} className="font-medium hover:underline">
          {entityName}
        </Link>
        {commercialName ? <span className="block text-xs text-muted">{commercialName}</span> : null}
      </span>
    ),
    csv: ({ entityName }) => entityName,
    sortBy: ({ entityName }) => entityName,
  },
  {
    key: 'licence',
    name: text.columns.licence,
    cell: ({ licenseType }) => text.licences[licenseType] ?? licenseType,
    csv: ({ licenseType }) => licenseType,
  },
  {
    key: 'status',
    name: text.columns.status,
    cell: ({ status }) => <Standing status={status} />,
    csv: ({ status }) => status,
    sortBy: ({ status }) => status,
  },
  {
    key: 'country',
    name: text.columns.country,
    wide: true,
    cell: ({ country }) => country ?? '–',
    csv: ({ country }) => country ?? '',
    sortBy: ({ country }) => country ?? '',
  },
  {
    key: 'authority',
    name: text.columns.authority,
    wide: true,
    cell: ({ nationalAuthority }) => nationalAuthority ?? '–',
    csv: ({ nationalAuthority }) => nationalAuthority ?? '',
  },
  {
    key: 'since',
    name: text.columns.since,
    wide: true,
    cell: ({ authorizationDate }) => <span className="num">{authorizationDate ?? '–'}</span>,
    csv: ({ authorizationDate }) => authorizationDate ?? '',
    sortBy: ({ authorizationDate }) => authorizationDate ?? '',
  },
  {
    key: 'lei',
    name: text.columns.lei,
    wide: true,
    cell: ({ entityIdentifier }) =>
      entityIdentifier ? (
        <span className="inline-flex items-center font-mono text-xs">
          {entityIdentifier} <Copy text={entityIdentifier} label={entityIdentifier} />
        </span>
      ) : (
        '–'
      ),
    csv: ({ entityIdentifier }) => entityIdentifier ?? '',
  },
]

function Search({ start }: { start: string }) {
  const [typed, setTyped] = useState(start)
  const words = useDeferredValue(typed.trim())
  const navigate = useNavigate()
  const isAsked = words.length >= 2
  const query = useQuery({
    queryKey: ['register', 'search', words],
    queryFn: () => register.searchIssuers({ query: { q: words, limit: '100' } }),
    enabled: isAsked,
    placeholderData: (before) => before,
  })
  return (
    <div className="space-y-4">
      <label className="block text-xs text-muted">
        {text.searchLabel}
        <input
          type="search"
          value={typed}
          maxLength={200}
          onChange={({ target }) => setTyped(target.value)}
          placeholder={text.searchHint}
          className="mt-1 block h-10 w-full max-w-xl rounded-md border border-strong bg-panel px-3 text-base text-ink"
        />
      </label>
      {isAsked ? (
        <Loaded query={query} rows={5}>
          {({ data }) => (
            <Table
              title={text.found}
              rows={data}
              columns={columns}
              rowKey={({ id }) => id}
              onOpen={({ id }) => void navigate({ to: '/register/$entityId', params: { entityId: id } })}
              empty={<Empty title={text.none}>{text.noneAbout}</Empty>}
            />
          )}
        </Loaded>
      ) : (
        <Figures />
      )}
      <p className="text-xs text-muted">{text.noAdvice}</p>
    </div>
  )
}

function Figures() {
  const query = useQuery({ queryKey: ['register', 'figures'], queryFn: () => register.getStatistics({}) })
  return (
    <Loaded query={query} rows={3}>
      {({ data }) => (
        <Stats>
          <Stat name={text.entities}>
            <span className="num">{showInteger(data.totalEntities)}</span>
          </Stat>
          {data.licenseTypes.map(({ type, label, count }) => (
            <Stat key={type} name={label}>
              <span className="num">{showInteger(count)}</span>
            </Stat>
          ))}
        </Stats>
      )}
    </Loaded>
  )
}

function Changes() {
  const query = useInfiniteQuery({
    queryKey: ['register', 'changes'],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      register.listRegisterChanges({ query: { limit: '200', ...(pageParam ? { cursor: pageParam } : {}) } }),
    getNextPageParam: ({ pagination }) => (pagination.hasMore ? (pagination.nextCursor ?? undefined) : undefined),
  })
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? []
  const shown: readonly Column<Change>[] = [
    {
      key: 'kind',
      name: text.columns.kind,
      cell: ({ kind }) => (
        <Badge tone={kind === 'removed' ? 'bad' : kind === 'added' ? 'good' : 'accent'}>{text.kinds[kind]}</Badge>
      ),
      csv: ({ kind }) => kind,
    },
    {
      key: 'name',
      name: text.columns.name,
      cell: ({ entityName, id, kind }) =>
        kind === 'removed' ? (
          entityName
        ) : (
          <Link to="/register/$entityId" params={{ entityId: id }} className="hover:underline">
            {entityName}
          </Link>
        ),
      csv: ({ entityName }) => entityName,
    },
    {
      key: 'licence',
      name: text.columns.licence,
      wide: true,
      cell: ({ licenseType }) => text.licences[licenseType] ?? licenseType,
      csv: ({ licenseType }) => licenseType,
    },
    {
      key: 'fields',
      name: text.columns.fields,
      wide: true,
      cell: ({ fields }) => fields.map(({ field }) => field).join(', ') || '–',
      csv: ({ fields }) => JSON.stringify(fields),
    },
    { key: 'at', name: text.columns.at, cell: ({ at }) => <When at={at} />, csv: ({ at }) => at },
  ]
  if (query.isPending) return <Waiting rows={5} />
  if (query.error) return <Fault error={query.error} again={() => void query.refetch()} />
  return (
    <Table
      title={text.changes}
      rows={rows}
      columns={shown}
      rowKey={({ importNumber, file, id, kind }) => `${importNumber}-${file}-${id}-${kind}`}
      empty={<Empty title={text.noChanges} />}
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

type RegisterFile = NonNullable<Awaited<ReturnType<typeof register.getRegisterHealth>>>['data']['files'][number]

function Sources() {
  const query = useQuery({ queryKey: ['register', 'health'], queryFn: () => register.getRegisterHealth({}) })
  const shown: readonly Column<RegisterFile>[] = [
    { key: 'file', name: text.columns.file, cell: ({ file }) => file, csv: ({ file }) => file },
    {
      key: 'source',
      name: text.columns.source,
      cell: ({ source }) => <span className="font-mono text-xs break-all">{source ?? '–'}</span>,
      csv: ({ source }) => source ?? '',
    },
    {
      key: 'date',
      name: text.columns.at,
      cell: ({ sourceDate }) => <When at={sourceDate} />,
      csv: ({ sourceDate }) => sourceDate ?? '',
    },
  ]
  return (
    <Loaded query={query} rows={4}>
      {({ data }) => (
        <div className="space-y-4">
          {data.status === 'empty' ? <Notice tone="warn">{text.nothingImported}</Notice> : null}
          <Table
            title={text.sources}
            rows={data.files}
            columns={shown}
            rowKey={({ file }) => file}
            empty={<Empty title={text.nothingImported} />}
          />
        </div>
      )}
    </Loaded>
  )
}

export function EntityPage() {
  const { entityId = '' } = useParams({ strict: false })
  const query = useQuery({
    queryKey: ['register', 'entity', entityId],
    queryFn: () => register.getIssuer({ params: { id: entityId } }),
  })
  return (
    <Loaded query={query} rows={8}>
      {({ data }) => <EntityDetails entity={data} />}
    </Loaded>
  )
}

function EntityDetails({ entity }: { entity: Entity }) {
  return (
    <>
      <PageHead
        back={<BackLink to="/register" name={text.title} />}
        title={entity.entityName}
        about={
          <span className="inline-flex flex-wrap items-center gap-2">
            {text.licences[entity.licenseType] ?? entity.licenseType} · {showWords(entity.entityType)}{' '}
            <Standing status={entity.status} />
          </span>
        }
      />
      <div className="grid gap-4 lg:grid-cols-2">
        <Panel title={text.entity}>
          <Facts>
            <Fact name={text.columns.lei}>
              <span className="font-mono text-xs">{entity.entityIdentifier ?? '–'}</span>
            </Fact>
            <Fact name={text.commercialName}>{entity.commercialName ?? '–'}</Fact>
            <Fact name={text.alsoNamed}>{entity.alsoNamed.join(', ') || '–'}</Fact>
            <Fact name={text.columns.country}>{entity.country ?? '–'}</Fact>
            <Fact name={text.columns.authority}>{entity.nationalAuthority ?? '–'}</Fact>
            <Fact name={text.address}>{entity.address ?? '–'}</Fact>
            <Fact name={text.website}>
              <span className="break-all">{entity.website ?? '–'}</span>
            </Fact>
          </Facts>
        </Panel>
        <Panel title={text.authorization}>
          <Facts>
            <Fact name={text.columns.since}>{entity.authorizationDate ?? '–'}</Fact>
            <Fact name={text.until}>{entity.authorizationEndDate ?? '–'}</Fact>
            <Fact name={text.services}>{entity.services.join(', ') || '–'}</Fact>
            <Fact name={text.passported}>{entity.passportedCountries.join(', ') || '–'}</Fact>
            <Fact name={text.comments}>{entity.comments ?? '–'}</Fact>
            <Fact name={text.firstSeen}>
              <When at={entity.firstSeenAt} as="day" />
            </Fact>
            <Fact name={text.changedAt}>
              <When at={entity.changedAt} as="day" />
            </Fact>
          </Facts>
        </Panel>
      </div>
      <div className="mt-4 space-y-4">
        {entity.dataNotes.length === 0 ? null : (
          <Notice tone="warn">
            {text.dataNotes} {entity.dataNotes.map(showWords).join(', ')}
          </Notice>
        )}
        {entity.whitePapers.length === 0 ? null : (
          <Panel title={text.whitePapers}>
            <ul className="space-y-2 text-sm">
              {entity.whitePapers.map(({ url, date, issuerName }) => (
                <li key={`${url}-${date}`}>
                  {issuerName ?? entity.entityName} <span className="num text-muted">{date ?? ''}</span>
                  <span className="block font-mono text-xs break-all">{url ?? '–'}</span>
                </li>
              ))}
            </ul>
          </Panel>
        )}
        <p className="text-xs text-muted">{text.noAdvice}</p>
      </div>
    </>
  )
}
