import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useRef, useState } from 'react'
import { saveFile, toCsv } from '../lib/csv.ts'
import { t } from '../texts/index.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { Panel } from './panel.tsx'

export interface Column<Row> {
  readonly key: string
  readonly name: string
  readonly cell: (row: Row) => ReactNode
  /** What the file says; always exact. */
  readonly csv: (row: Row) => string
  readonly number?: boolean
  /** Left out on a narrow screen. */
  readonly wide?: boolean
  readonly sortBy?: (row: Row) => number | string
}

interface Props<Row> {
  readonly title: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  readonly empty: ReactNode
  readonly aside?: ReactNode
  readonly footer?: ReactNode
  /** So many rows are drawn; the file has all. */
  readonly most?: number
  readonly onOpen?: (row: Row) => void
}

/** Above so many rows only those on screen are drawn. */
const MANY = 100
const ROW_HEIGHT = 44

export function Table<Row>({ title, rows, columns, rowKey, empty, aside, footer, most, onOpen }: Props<Row>) {
  const [sort, setSort] = useState<{ key: string; down: boolean } | undefined>()
  const sorted = sort ? sortRows(rows, columns.find(({ key }) => key === sort.key)?.sortBy, sort.down) : rows
  const save = () =>
    saveFile(
      `${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.csv`,
      toCsv([columns.map(({ name }) => name), ...sorted.map((row) => columns.map(({ csv }) => csv(row)))]),
      'text/csv',
    )
  return (
    <Panel
      flush
      title={title}
      aside={
        <>
          {aside}
          {rows.length === 0 ? null : (
            <Button small look="quiet" onClick={save}>
              <Icon name="save" className="size-3.5" /> {t.table.csv}
            </Button>
          )}
        </>
      }
    >
      {rows.length === 0 ? (
        empty
      ) : (
        <Body
          {...{ title, rows: sorted.slice(0, most), columns, rowKey, sort, setSort }}
          {...(onOpen ? { onOpen } : {})}
        />
      )}
      {footer}
    </Panel>
  )
}

function sortRows<Row>(rows: readonly Row[], by: Column<Row>['sortBy'], down: boolean): readonly Row[] {
  if (!by) return rows
  const order = (a: Row, b: Row) => {
    const [x, y] = [by(a), by(b)]
    return x < y ? -1 : x > y ? 1 : 0
  }
  return rows.toSorted((a, b) => (down ? -order(a, b) : order(a, b)))
}

interface BodyProps<Row> extends Pick<Props<Row>, 'title' | 'rows' | 'columns' | 'rowKey' | 'onOpen'> {
  readonly sort: { key: string; down: boolean } | undefined
  readonly setSort: (sort: { key: string; down: boolean } | undefined) => void
}

function Body<Row>({ title, rows, columns, rowKey, onOpen, sort, setSort }: BodyProps<Row>) {
  const frame = useRef<HTMLElement>(null)
  const isMany = rows.length > MANY
  const virtual = useVirtualizer({
    count: isMany ? rows.length : 0,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  })
  const seen = virtual.getVirtualItems()
  const shown = isMany ? seen.flatMap(({ index }) => rows[index] ?? []) : rows
  const before = isMany ? (seen[0]?.start ?? 0) : 0
  const after = isMany ? virtual.getTotalSize() - (seen.at(-1)?.end ?? 0) : 0
  return (
    <section
      ref={frame}
      aria-label={title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached from the keyboard
      tabIndex={0}
      className={`overflow-x-auto ${isMany ? 'max-h-[70vh] overflow-y-auto' : ''}`}
    >
      <table className="w-full border-collapse text-sm" aria-rowcount={rows.length + 1}>
        <thead className="sticky top-0 z-10 bg-panel">
          <tr className="border-b border-line text-left text-xs text-muted">
            {columns.map(({ key, name, number, wide, sortBy }) => (
              <th
                key={key}
                scope="col"
                aria-sort={sort?.key === key ? (sort.down ? 'descending' : 'ascending') : undefined}
                className={`h-9 px-4 font-medium max-sm:px-3 whitespace-nowrap ${number ? 'text-right' : ''} ${hidden(wide)}`}
              >
                {sortBy ? (
                  <button
                    type="button"
                    className="font-medium hover:text-ink"
                    onClick={() => setSort({ key, down: sort?.key === key ? !sort.down : false })}
                  >
                    {name}
                    <span aria-hidden="true">{sort?.key === key ? (sort.down ? ' ↓' : ' ↑') : ''}</span>
                  </button>
                ) : (
                  name
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 ? <Gap height={before} /> : null}
          {shown.map((row) => (
            <Line key={rowKey(row)} {...{ row, columns }} {...(onOpen ? { onOpen } : {})} />
          ))}
          {after > 0 ? <Gap height={after} /> : null}
        </tbody>
      </table>
    </section>
  )
}

const hidden = (wide: boolean | undefined) => (wide ? 'max-md:hidden' : '')

/** Where the columns stay the same ones, only rows that are new are drawn. */
const Line = memo(function Line<Row>({ row, columns, onOpen }: Pick<Props<Row>, 'columns' | 'onOpen'> & { row: Row }) {
  return (
    <tr
      className={`h-11 border-b border-line last:border-0 ${onOpen ? 'cursor-pointer hover:bg-raised' : ''}`}
      onClick={onOpen ? (event) => isPlain(event.target) && onOpen(row) : undefined}
    >
      {columns.map(({ key, cell, number, wide }) => (
        <td key={key} className={`px-4 py-1.5 max-sm:px-3 ${number ? 'text-right' : ''} ${hidden(wide)}`}>
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}) as <Row>(props: Pick<Props<Row>, 'columns' | 'onOpen'> & { row: Row }) => ReactNode

/** A click on a link or button of the row is for that one. */
const isPlain = (target: EventTarget) => target instanceof Element && target.closest('a, button, input') === null

const Gap = ({ height }: { height: number }) => (
  <tr>
    <td style={{ height }} />
  </tr>
)
