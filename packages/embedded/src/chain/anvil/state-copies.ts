import { copyFile, open, rename, stat } from 'node:fs/promises'
import { previousCopyOf } from './state-file.ts'

const megabyte = 1024 * 1024

/** A dump rewrites the whole chain: about every second while it is small, less often as it grows. */
export function dumpIntervalSeconds(stateBytes: number): number {
  return 1 + Math.floor(stateBytes / (16 * megabyte))
}

/** The node's own dump is unsafe against a kill: this keeps the newest complete one as `<state>.previous`. */
export function keepCopies(stateFile: string, intervalSeconds: number): { stop(): void } {
  let copiedAt = 0
  let copying = false
  const timer = setInterval(() => {
    if (copying) return
    copying = true
    copyIfComplete(stateFile, copiedAt)
      .then((modifiedAt) => {
        copiedAt = modifiedAt
      })
      .catch(() => undefined)
      .finally(() => {
        copying = false
      })
  }, intervalSeconds * 700)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

/** A dump in progress keeps touching the file, so one that has been still before and during the copy is complete. */
async function copyIfComplete(stateFile: string, copiedAt: number): Promise<number> {
  const before = await stat(stateFile)
  if (before.mtimeMs === copiedAt || Date.now() - before.mtimeMs < 100) return copiedAt
  const copy = `${previousCopyOf(stateFile)}.copying`
  await copyFile(stateFile, copy)
  const after = await stat(stateFile)
  if (after.mtimeMs !== before.mtimeMs || after.size !== before.size) return copiedAt
  if (!(await endsLikeAnObject(copy, after.size))) return copiedAt
  await rename(copy, previousCopyOf(stateFile))
  return before.mtimeMs
}

async function endsLikeAnObject(file: string, size: number): Promise<boolean> {
  if (size === 0) return false
  const handle = await open(file)
  try {
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
    return buffer.toString() === '}'
  } finally {
    await handle.close()
  }
}
