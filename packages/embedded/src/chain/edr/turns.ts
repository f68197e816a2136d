/** Those who read between two writers. */
interface Readers {
  inside: number
  onLeft?: () => void
}

/** Readers come in together, a writer alone; whoever comes first goes first, so that neither waits for ever. */
export function createTurns() {
  let lastWriter: Promise<unknown> = Promise.resolve()
  let current: Readers = { inside: 0 }

  async function read<Result>(work: () => Promise<Result>): Promise<Result> {
    const readers = current
    readers.inside += 1
    try {
      await lastWriter
      return await work()
    } finally {
      readers.inside -= 1
      if (readers.inside === 0) readers.onLeft?.()
    }
  }

  function write<Result>(work: () => Promise<Result>): Promise<Result> {
    const readers = current
    current = { inside: 0 }
    const allLeft = new Promise<void>((resolve) => {
      if (readers.inside === 0) resolve()
      else readers.onLeft = resolve
    })
    const writing = Promise.all([lastWriter, allLeft]).then(work)
    lastWriter = writing.catch(() => undefined)
    return writing
  }

  return { read, write }
}

export type Turns = ReturnType<typeof createTurns>
