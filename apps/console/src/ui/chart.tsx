import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import { showDateTime } from '../lib/format.ts'
import { useTheme } from '../shell/theme.ts'

export interface Line {
  readonly name: string
  readonly values: readonly number[]
  readonly color?: 'accent' | 'good' | 'warn' | 'muted'
  readonly dashed?: boolean
  /** A value holds until the next one. */
  readonly stepped?: boolean
}

interface Props {
  /** Seconds where `time` is set. */
  readonly x: readonly number[]
  readonly lines: readonly Line[]
  readonly time?: boolean
  readonly height?: number
  readonly label: string
  readonly xText?: (value: number) => string
  readonly yText: (value: number) => string
  /** A place on the x axis that is marked. */
  readonly mark?: number | undefined
}

const colorOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()

const DAY = 86_400
const hour = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const date = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })

/** As everywhere in the console: in the reader's zone and language. */
const instantName = (seconds: number, step: number): string =>
  (step < DAY ? hour : date).format(new Date(seconds * 1000))

function optionsOf({ lines, time = false, height = 200, xText, yText, mark }: Props, width: number): UPlot.Options {
  const axis = {
    stroke: colorOf('muted'),
    grid: { stroke: colorOf('line'), width: 1 },
    ticks: { show: false },
    font: '11px Roboto, sans-serif',
  }
  const xName = xText ?? (time ? instantName : undefined)
  const xValues = xName
    ? {
        values: (_: UPlot, splits: number[], __: number, ___: number, step: number) =>
          splits.map((at) => xName(at, step)),
      }
    : {}
  return {
    width,
    height,
    cursor: { y: false, drag: { x: false, y: false } },
    legend: { show: false },
    scales: { x: { time } },
    axes: [
      { ...axis, ...xValues, grid: { show: false }, space: 70, size: 28 },
      { ...axis, size: 64, space: 36, values: (_: UPlot, splits: number[]) => splits.map(yText) },
    ],
    series: [
      {},
      ...lines.map(({ name, color = 'accent', dashed, stepped }) => ({
        label: name,
        stroke: colorOf(color),
        width: 1.75,
        // On whole pixels a slope would be a staircase.
        pxAlign: 0,
        points: { show: false },
        ...(dashed ? { dash: [4, 4] } : {}),
        ...(stepped && UPlot.paths.stepped ? { paths: UPlot.paths.stepped({ align: 1 }) } : {}),
      })),
    ],
    hooks: {
      draw: [
        (plot) => {
          if (mark === undefined) return
          const { ctx, bbox } = plot
          const at = plot.valToPos(mark, 'x', true)
          ctx.save()
          ctx.strokeStyle = colorOf('warn')
          ctx.setLineDash([4, 4])
          ctx.beginPath()
          ctx.moveTo(at, bbox.top)
          ctx.lineTo(at, bbox.top + bbox.height)
          ctx.stroke()
          ctx.restore()
        },
      ],
    },
  }
}

export function Chart(props: Props) {
  const { x, lines, label, yText, xText, time } = props
  const frame = useRef<HTMLDivElement>(null)
  const reading = useRef<HTMLParagraphElement>(null)
  const theme = useTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read from the theme
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const options = optionsOf(props, element.clientWidth)
    const said = reading.current
    const describe = (plot: UPlot) => {
      const at = plot.cursor.idx
      if (!said) return
      const text =
        at === null || at === undefined
          ? ''
          : lines.map(({ name, values }) => `${name} ${yText(values[at] ?? Number.NaN)}`).join('   ')
      const place = at === null || at === undefined ? undefined : x[at]
      const where =
        place === undefined ? '' : time ? showDateTime(new Date(place * 1000)) : (xText?.(place) ?? String(place))
      said.textContent = text === '' ? '\u00a0' : `${where}   ${text}`
    }
    options.hooks = { ...options.hooks, setCursor: [describe] }
    const plot = new UPlot(options, [[...x], ...lines.map(({ values }) => [...values])], element)
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: options.height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [x, lines, theme])
  return (
    <figure>
      <div className="mb-1 flex flex-wrap gap-x-4 text-xs text-muted">
        {lines.map(({ name, color = 'accent' }) => (
          <span key={name} className="inline-flex items-center gap-1.5">
            <span
              aria-hidden="true"
              className={`inline-block h-0.5 w-4 ${{ accent: 'bg-accent', good: 'bg-good', warn: 'bg-warn', muted: 'bg-muted' }[color]}`}
            />
            {name}
          </span>
        ))}
      </div>
      <div ref={frame} role="img" aria-label={label} className="w-full overflow-hidden" />
      <p ref={reading} aria-hidden="true" className="num mt-1 truncate text-xs text-muted">
        &nbsp;
      </p>
    </figure>
  )
}
