import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { tally } from '../api/client.ts'
import { t } from '../texts/index.ts'
import { Badge } from '../ui/badge.tsx'

const text = t.palette

interface Hit {
  readonly key: string
  readonly kind: string
  readonly title: string
  readonly detail: string
  readonly to: string
}

type Found = Awaited<ReturnType<typeof tally.access.search>>['data']['results'][number]

/** A book of the ledger, or of a class that settles on chain; the last two words tell. */
function bookKind(detail: string): string {
  const [bookClass = '', mode] = detail.split(' ').slice(-2)
  return mode === 'OFF_CHAIN' ? 'offchain' : bookClass
}

/** Where each kind of thing is shown. */
function pathOf({ kind, id, marketId, detail }: Found): string {
  switch (kind) {
    case 'stock':
      return `/cap-table/${id}`
    case 'token':
      return `/tokens/${id}`
    case 'market':
      return `/markets/${id}`
    case 'loan':
      return `/markets/${marketId}/loans/${id}`
    case 'investor':
      return `/investors/${id}`
    case 'book':
      return `/trade/${bookKind(detail)}/${id}`
    case 'transaction':
      return `/transactions/${id}`
  }
}

/** The words of the service that are names of the interface, as the screens say them. */
const SAID: Readonly<Record<string, string>> = {
  ...{ CUSTODY: t.markets.modes.CUSTODY, FREEZE: t.markets.modes.FREEZE },
  ...t.tokens.frameworks,
  ...{ stocks: t.trade.kinds.stocks, commodities: t.trade.kinds.commodities },
  ...{ 'external-securities': t.trade.kinds['external-securities'], ON_CHAIN: '', OFF_CHAIN: t.trade.kinds.offchain },
  ...t.transactions.status,
}

const detailOf = ({ detail }: Found): string =>
  detail
    .split(' ')
    .map((word) => SAID[word] ?? word)
    .filter((word) => word !== '')
    .join(' ')

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

function useHits(words: string, pages: readonly { to: string; name: string }[]): readonly Hit[] {
  const own = useQuery({
    queryKey: ['search', words],
    queryFn: () => tally.access.search({ query: { q: words } }),
    enabled: words !== '',
    placeholderData: (before) => before,
  })
  const entities = useQuery({
    queryKey: ['search-register', words],
    queryFn: () => tally.register.searchIssuers({ query: { q: words, limit: '5' } }),
    enabled: words.length >= 2,
    placeholderData: (before) => before,
  })
  const wanted = words.toLowerCase()
  const places = pages.filter(({ name }) => name.toLowerCase().includes(wanted))
  const wallet = ADDRESS.test(words) ? words.toLowerCase() : undefined
  return [
    ...places.map(({ to, name }) => ({ key: to, kind: text.kinds.page, title: name, detail: '', to })),
    ...(words === '' ? [] : (own.data?.data.results ?? [])).map((found) => ({
      key: `${found.kind}-${found.marketId ?? ''}-${found.id}`,
      kind: text.kinds[found.kind],
      title: found.kind === 'loan' ? `${t.loans.of} ${found.id}: ${found.title}` : found.title,
      detail: detailOf(found),
      to: pathOf(found),
    })),
    ...(words.length < 2 ? [] : (entities.data?.data ?? [])).map(({ id, entityName, licenseType, countryCode }) => ({
      key: `entity-${id}`,
      kind: text.kinds.entity,
      title: entityName,
      detail: `${t.register.licences[licenseType] ?? licenseType} · ${countryCode ?? ''}`,
      to: `/register/${id}`,
    })),
    ...(wallet
      ? [{ key: 'file', kind: text.kinds.investor, title: wallet, detail: text.anyWallet, to: `/investors/${wallet}` }]
      : []),
  ]
}

/** One box for everything: pages, names, addresses, ids and hashes. Arrows choose, Enter goes there. */
export function Palette({ pages, onClose }: { pages: readonly { to: string; name: string }[]; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const words = useDeferredValue(typed.trim())
  const hits = useHits(words, pages)
  const chosen = Math.min(at, Math.max(hits.length - 1, 0))
  const navigate = useNavigate()
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  function go(hit: Hit | undefined) {
    if (!hit) return
    onClose()
    void navigate({ to: hit.to })
  }
  return (
    <dialog
      ref={dialog}
      aria-label={text.title}
      onClose={onClose}
      className="mx-auto mt-[12vh] w-[min(38rem,calc(100vw-1.5rem))] rounded-lg border border-line bg-panel shadow-xl"
    >
      <input
        autoFocus
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-hits"
        aria-activedescendant={hits[chosen] ? `palette-hit-${chosen}` : undefined}
        aria-label={text.title}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        placeholder={text.hint}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, hits.length - 1))
          else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0))
          else if (event.key === 'Enter') go(hits[chosen])
          else return
          event.preventDefault()
        }}
        className="h-12 w-full border-b border-line bg-transparent px-4 text-base outline-none"
      />
      <div id="palette-hits" role="listbox" aria-label={text.results} className="max-h-[50vh] overflow-y-auto p-1">
        {hits.length === 0 ? <p className="px-3 py-6 text-center text-sm text-muted">{text.none}</p> : null}
        {hits.map((hit, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the box above
          <div
            key={hit.key}
            id={`palette-hit-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onMouseMove={() => setAt(index)}
            onClick={() => go(hit)}
            className={`flex cursor-pointer items-center gap-3 rounded-md px-3 py-2 text-sm ${index === chosen ? 'bg-raised' : ''}`}
          >
            <span className="w-20 shrink-0">
              <Badge>{hit.kind}</Badge>
            </span>
            <span className="flex min-w-0 flex-1 items-baseline justify-between gap-x-3 max-sm:flex-col">
              <span className="max-w-full truncate font-medium">{hit.title}</span>
              <span className="max-w-full shrink-0 truncate text-xs text-muted sm:max-w-52">{hit.detail}</span>
            </span>
          </div>
        ))}
      </div>
    </dialog>
  )
}
