import type { SeededRandom } from '@tallystick/testkit'

/** Amounts near what matters: nothing, one, a part, exactly the border, one beyond it. */
export function around(random: SeededRandom, border: bigint): bigint {
  const kind = random.integer(0, 11)
  if (kind === 0) return border + 1n
  if (kind === 1) return border > 0n ? border - 1n : 0n
  if (kind === 2) return random.pick([0n, 1n, 2n, 199n, 200n, 201n])
  if (kind === 3) return border * 2n
  if (kind <= 6) return border
  return random.bigint(0n, border > 0n ? border : 1n)
}

/** Seconds until the next step: mostly little, sometimes an hour, a day or weeks. */
export function drawSeconds(random: SeededRandom): bigint {
  const kind = random.integer(0, 99)
  if (kind < 40) return 1n
  if (kind < 75) return random.bigint(1n, 120n)
  if (kind < 88) return random.bigint(1n, 7_200n)
  if (kind < 96) return random.bigint(1n, 86_401n)
  if (kind < 98) return 7n * 86_400n + random.bigint(0n, 1n)
  return random.bigint(1n, 40n * 86_400n)
}

/** Mostly one of those that the step is made for; rarely any. */
export function pickEntry<Value>(
  random: SeededRandom,
  entries: ReadonlyMap<bigint, Value>,
  isPreferred: (value: Value) => boolean,
): [bigint, Value] | undefined {
  const all = [...entries]
  const candidates = random.chance(0.95) ? all.filter(([, value]) => isPreferred(value)) : all
  return candidates.length === 0 ? undefined : random.pick(candidates)
}
