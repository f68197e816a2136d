import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

type Word = Record<string, unknown>

/** A process that is told lines and answers with lines of JSON. */
export function startChild(args: readonly string[]) {
  const child = spawn(process.execPath, [...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ears = new Set<(word: Word) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const word = JSON.parse(line) as Word
    for (const hear of ears) hear(word)
  })
  return {
    tell: (line: string) => void child.stdin.write(`${line}\n`),
    hear(ear: (word: Word) => void): () => void {
      ears.add(ear)
      return () => void ears.delete(ear)
    },
    /** The next word that has this name. */
    next<T extends Word>(name: string): Promise<T> {
      return new Promise((resolve, reject) => {
        const gone = () => reject(new Error(`the process ended before it said ${name}`))
        const hear = (word: Word) => {
          if (!(name in word)) return
          ears.delete(hear)
          child.off('close', gone)
          resolve(word as T)
        }
        child.once('close', gone)
        ears.add(hear)
      })
    },
    async stop(): Promise<void> {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'close')
    },
  }
}

export type Child = ReturnType<typeof startChild>
