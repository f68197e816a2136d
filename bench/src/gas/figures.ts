/** Gas by the name of the operation. */
export type GasFigures = ReadonlyMap<string, number>

export type GasUse = 'first' | 'repeat'
const uses: readonly GasUse[] = ['first', 'repeat']

/** What every transaction costs before it does anything. */
export const TRANSACTION_GAS = 21_000

export type GasPeers = {
  peers: string[]
  /** `only`: the use that the bar is about; both, where nothing is said. */
  operations: { ours: string; theirs: string; peers: number[]; bar: number; only?: GasUse }[]
  /** `ours` may cost so much gas more than `base`, each at its repeated use. */
  atMostAbove: { ours: string; base: string; gas: number }[]
}

export type GasRow = {
  name: string
  theirs: string
  /** Of a whole transaction. */
  gas: Partial<Record<GasUse, number>>
  peers: number[]
  bar?: number
  /** The uses that are above the bar, or not measured. */
  missed: GasUse[]
}

export const inThousands = (gas: number | undefined): string => gas?.toLocaleString('en-US') ?? 'not measured'

/** Every bar as a row; a bar without a figure, or with a base without one, is missed. */
export function gasRows(figures: GasFigures, { operations, atMostAbove }: GasPeers): GasRow[] {
  const of = (name: string, use: GasUse) => figures.get(`${name} ${use}`)
  const row = (
    name: string,
    theirs: string,
    { peers, bar, only }: { peers: number[]; bar: number | undefined; only?: GasUse | undefined },
  ): GasRow => {
    const gas: GasRow['gas'] = {}
    for (const use of uses) {
      const measured = of(name, use)
      if (measured !== undefined) gas[use] = measured
    }
    const missed = uses.filter((use) => {
      const measured = gas[use]
      return (only ?? use) === use && !(measured !== undefined && bar !== undefined && measured <= bar)
    })
    return { name, theirs, gas, peers, missed, ...(bar === undefined ? {} : { bar }) }
  }
  return [
    ...operations.map(({ ours, theirs, peers, bar, only }) => row(ours, theirs, { peers, bar, only })),
    ...atMostAbove.map(({ ours, base, gas }) => {
      const from = of(base, 'repeat')
      const bar = from === undefined ? undefined : from + gas
      return row(ours, `${base} + ${inThousands(gas)}`, { peers: [], bar, only: 'repeat' })
    }),
  ]
}

/** One line per figure that is not what was committed. */
export function gasDifferences(committed: GasFigures, measured: GasFigures): string[] {
  return [...new Set([...committed.keys(), ...measured.keys()])].sort().flatMap((name) => {
    const [was, is] = [committed.get(name), measured.get(name)]
    if (was === is) return []
    if (was === undefined) return [`${name}: ${inThousands(is)} is not committed`]
    if (is === undefined) return [`${name}: committed as ${inThousands(was)}, no longer measured`]
    return [
      `${name}: committed ${inThousands(was)}, now ${inThousands(is)} (${is > was ? '+' : ''}${inThousands(is - was)})`,
    ]
  })
}

export const missedBars = (rows: readonly GasRow[]): string[] =>
  rows.flatMap(({ name, gas, bar, missed }) =>
    missed.map(
      (use) =>
        `${name}, ${use} use: ${inThousands(gas[use])}, the bar is ${bar === undefined ? 'unknown' : inThousands(bar)}`,
    ),
  )
