import { directories } from './directories.ts'
import { marketReads } from './market-reads.ts'
import { marketWrites } from './market-writes.ts'
import { orderBooks } from './order-books.ts'
import type { Endpoint } from './trial.ts'

const placeOf = ({ number }: Endpoint): number => Number(number.replace('4.', ''))

/** All twenty, in the order of the interface. */
export const endpoints: readonly Endpoint[] = [...directories, ...marketReads, ...marketWrites, ...orderBooks].toSorted(
  (a, b) => placeOf(a) - placeOf(b),
)
