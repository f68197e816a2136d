/** Each can be made greater or smaller by its variable. Of loans a fifth of what is promised, which takes a minute to fill: the million takes five. */
const defaults = {
  BENCH_LOANS: 200_000,
  BENCH_TENANTS: 10_000,
  BENCH_IDLE: 10_000,
  BENCH_BUSY: 1_000,
} as const

const parts = ['loans', 'tenants', 'listeners', 'servers'] as const

export class SizeError extends Error {
  override readonly name = 'SizeError'
}

function sizeOf(name: keyof typeof defaults, environment: Record<string, string | undefined>): number {
  const text = environment[name]
  if (text === undefined) return defaults[name]
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new SizeError(`${name}=${text} is no number between 1 and 9,999,999`)
  return Number(text)
}

/** `BENCH_SCALE=loans,tenants` measures these alone. */
export function readSizes(environment: Record<string, string | undefined>) {
  const wanted = (environment.BENCH_SCALE ?? parts.join()).split(',')
  const strange = wanted.filter((word) => !parts.some((part) => part === word))
  if (strange.length > 0) throw new SizeError(`BENCH_SCALE knows ${parts.join(', ')}; not: ${strange.join(' ')}`)
  return {
    parts: parts.filter((part) => wanted.includes(part)),
    loans: sizeOf('BENCH_LOANS', environment),
    tenants: sizeOf('BENCH_TENANTS', environment),
    idle: sizeOf('BENCH_IDLE', environment),
    busy: sizeOf('BENCH_BUSY', environment),
  }
}

export type Sizes = ReturnType<typeof readSizes>
