/** Gas by the name of the operation. */
export type GasFigures = ReadonlyMap<string, number>

export type GasPeers = {
  peers: string[]
  operations: { ours: string; theirs: string; peers: number[]; bar: number }[]
  /** `ours` may cost so much gas more than `base`. */
  atMostAbove: { ours: string; base: string; gas: number }[]
}

export type GasRow = { name: string; theirs: string; gas?: number; peers: number[]; bar?: number; isMet: boolean }

export const inThousands = (gas: number | undefined): string => gas?.toLocaleString('en-US') ?? 'not measured'

/** Every bar as a row; a bar without a figure, or with a base without one, is missed. */
export function gasRows(figures: GasFigures, { operations, atMostAbove }: GasPeers): GasRow[] {
  const row = (name: string, theirs: string, peers: number[], bar: number | undefined): GasRow => {
    const gas = figures.get(name)
    const isMet = gas !== undefined && bar !== undefined && gas <= bar
    return { name, theirs, peers, isMet, ...(gas === undefined ? {} : { gas }), ...(bar === undefined ? {} : { bar }) }
  }
  return [
    ...operations.map(({ ours, theirs, peers, bar }) => row(ours, theirs, peers, bar)),
    ...atMostAbove.map(({ ours, base, gas }) => {
      const from = figures.get(base)
      return row(ours, `${base} + ${inThousands(gas)}`, [], from === undefined ? undefined : from + gas)
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
  rows
    .filter(({ isMet }) => !isMet)
    .map(
      ({ name, gas, bar }) =>
        `${name}: ${inThousands(gas)}, the bar is ${bar === undefined ? 'unknown' : inThousands(bar)}`,
    )
