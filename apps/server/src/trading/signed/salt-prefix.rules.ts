import { concat, type Hex, size, slice } from 'viem'

/**
 * How the contracts want a salt to begin, so that a split of either token ends an order. Eight bytes for the token, eight for what it is paid
 * with; contracts of the generation before say four bytes, for the token alone.
 */
export type SaltPrefix = Hex

/** Both generations are asked, each in its own words: the answer of the one that the contract is of; undefined: of none. */
export function saltPrefixOf(
  answers: readonly { readonly ok: boolean; readonly value?: unknown }[],
): SaltPrefix | undefined {
  return answers.find(({ ok }) => ok)?.value as SaltPrefix | undefined
}

/** Salts that begin a half so were signed after a split. */
const MARK: Hex = '0x53504c54'
const HALF_BYTES = 8
const EARLIER_BYTES = 4

const zeros = (bytes: number): Hex => `0x${'00'.repeat(bytes)}`
const ones = (bytes: number): Hex => `0x${'ff'.repeat(bytes)}`

/** The parts of the prefix, and where in the salt each begins. */
function partsOf(prefix: SaltPrefix): { readonly at: number; readonly part: Hex }[] {
  if (size(prefix) === EARLIER_BYTES) return [{ at: 0, part: prefix }]
  return [0, HALF_BYTES].map((at) => ({ at, part: slice(prefix, at, at + HALF_BYTES) }))
}

const isZero = (part: Hex): boolean => part === zeros(size(part))

/** What has to stand there: nothing in particular for a token never split, four bytes where those of version 1 still count. */
function wantedOf(part: Hex): Hex | null {
  if (isZero(part)) return null
  return size(part) === HALF_BYTES && isZero(slice(part, EARLIER_BYTES)) ? slice(part, 0, EARLIER_BYTES) : part
}

/** A split is under way, or a token does not tell its ratio: nothing settles, and nothing is dead either. */
export const isUnreadable = (prefix: SaltPrefix): boolean =>
  partsOf(prefix).some(({ part }) => part.toLowerCase() === ones(size(part)))

/** Whether the salt says that the shares are meant which the tokens have now. */
export function fitsPrefix(salt: Hex, prefix: SaltPrefix): boolean {
  if (isUnreadable(prefix)) return false
  return partsOf(prefix).every(({ at, part }) => {
    const wanted = wantedOf(part)
    const told = slice(salt, at, at + size(wanted ?? MARK)).toLowerCase()
    if (wanted) return told === wanted.toLowerCase()
    return size(prefix) === EARLIER_BYTES || told !== MARK
  })
}

/** A salt that fits, with as many of the bytes as are free. */
export function saltFrom(bytes: Hex, prefix: SaltPrefix): Hex {
  return partsOf(prefix).reduce((salt, { at, part }) => {
    const wanted = wantedOf(part)
    // Random bytes that look like the mark by chance would be refused.
    const put = wanted ?? (slice(salt, at, at + size(MARK)) === MARK ? zeros(size(MARK)) : null)
    return put ? replaced(salt, at, put) : salt
  }, bytes)
}

const replaced = (salt: Hex, at: number, part: Hex): Hex => {
  const [before, after] = [at, at + size(part)]
  return concat([
    ...(before > 0 ? [slice(salt, 0, before)] : []),
    part,
    ...(after < size(salt) ? [slice(salt, after)] : []),
  ])
}
