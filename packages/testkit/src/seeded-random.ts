export interface SeededRandom {
  /** At least 0, below 1. */
  next(): number
  /** Both ends included. */
  integer(min: number, max: number): number
  bigint(min: bigint, max: bigint): bigint
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  shuffled<Item>(items: readonly Item[]): Item[]
  hex(bytes: number): `0x${string}`
}

/** The same numbers for the same seed on every machine. Not for secrets. */
export function seededRandom(seed: number): SeededRandom {
  let state = BigInt.asUintN(64, BigInt(Math.trunc(seed)) * 0x9e3779b97f4a7c15n + 1n)

  function word(): bigint {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n)
    const folded = state ^ (state >> 29n)
    return BigInt.asUintN(64, folded * 0xd6e8feb86659fd93n) >> 32n
  }

  function next(): number {
    return Number(word()) / 2 ** 32
  }

  function integer(min: number, max: number): number {
    return min + Math.floor(next() * (max - min + 1))
  }

  function bigint(min: bigint, max: bigint): bigint {
    let drawn = 0n
    for (let covered = 1n; covered <= max - min; covered <<= 32n) drawn = (drawn << 32n) | word()
    return min + (drawn % (max - min + 1n))
  }

  function pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new Error('Nothing to pick from')
    return items[integer(0, items.length - 1)] as Item
  }

  function shuffled<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, rank: next() }))
      .sort((left, right) => left.rank - right.rank)
      .map(({ item }) => item)
  }

  function hex(bytes: number): `0x${string}` {
    return `0x${Array.from({ length: bytes }, () => integer(0, 255).toString(16).padStart(2, '0')).join('')}`
  }

  return { next, integer, bigint, chance: (probability) => next() < probability, pick, shuffled, hex }
}
