/** What draws commands: the same for the same seed, wherever it comes from. */
export interface Dice {
  /** At least 0, below 1. */
  next(): number
  /** Both ends included. */
  integer(min: number, max: number): number
  bigint(min: bigint, max: bigint): bigint
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
}
