import { median, ratio, type Sample } from './measure.ts'

type Series = readonly Sample[]

export const rate = (samples: Series) => `${Math.round(median(samples.map(({ perSecond }) => perSecond)))}/s`
const p50 = (samples: Series) => `p50 ${median(samples.map(({ p50Ms }) => p50Ms)).toFixed(1)} ms`
const p99 = (samples: Series) => `p99 ${median(samples.map(({ p99Ms }) => p99Ms)).toFixed(1)} ms`

/** Prints one row per figure, with what it was made from, and counts the bars that were missed. */
export function createReport() {
  let missed = 0

  function row(label: string, figure: number, bar: string, met: boolean, raw: string): void {
    if (!met) missed += 1
    const verdict = met ? 'met   ' : 'MISSED'
    process.stdout.write(`${verdict}  ${label.padEnd(58)} ${figure.toFixed(2).padStart(6)}  (bar ${bar})  ${raw}\n`)
  }

  return {
    row,

    /** Ours may take at most `bar` times as long as theirs. */
    slowness(label: string, ours: Series, theirs: Series, bar: number): void {
      const figure = ratio(ours, theirs, 'p50Ms')
      row(label, figure, `<= ${bar.toFixed(2)}`, figure <= bar, `${p50(ours)} / ${p50(theirs)}`)
    },

    /** The slowest one in a hundred of ours may take at most `bar` times as long as that of theirs. */
    slowestOfHundred(label: string, ours: Series, theirs: Series, bar: number): void {
      const figure = ratio(ours, theirs, 'p99Ms')
      row(label, figure, `<= ${bar.toFixed(2)}`, figure <= bar, `${p99(ours)} / ${p99(theirs)}`)
    },

    /** Ours must answer at least `bar` times as often as theirs. */
    throughput(label: string, ours: Series, theirs: Series, bar: number): void {
      const figure = ratio(ours, theirs, 'perSecond')
      row(label, figure, `>= ${bar.toFixed(2)}`, figure >= bar, `${rate(ours)} / ${rate(theirs)}`)
    },

    missed: () => missed,
  }
}

export type Report = ReturnType<typeof createReport>
