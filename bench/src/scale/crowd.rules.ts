/** Between events may stand the length of a chunk of the answer. */
const UPDATE = /(?:^|\n)event: update\n[\s\S]*"lastSequence":"(\d+)"/

/** Counts who has heard of what, and tells when everybody has. */
export function createCrowd(onAll: (sequence: number) => void) {
  const heard = new Map<number, number>()
  let size = 0
  return {
    grow(by: number): void {
      size += by
    },
    /** One event of a stream, as it came. Only updates count: whoever begins is shown the whole book. */
    hear(record: string): void {
      const sequence = Number(UPDATE.exec(record)?.[1] ?? 0)
      if (sequence === 0) return
      const count = (heard.get(sequence) ?? 0) + 1
      heard.set(sequence, count)
      if (count < size) return
      heard.delete(sequence)
      onAll(sequence)
    },
  }
}
