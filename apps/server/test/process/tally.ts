import { explainFailure, runCli } from '@tallystick/cli'
import { expect, vi } from 'vitest'
import { parseConfig } from '../../src/platform/config.ts'
import { run } from './program.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
type Answer = any

/** The operator's tool on one deployment, chosen by its environment. */
export function tallyOn(env: Record<string, string>) {
  return {
    /** What a command that works answers. */
    async does(...args: string[]): Promise<Answer> {
      const program = await run('cli', { env, args })
      expect(await program.ended, program.stderr()).toBe(0)
      expect(program.stderr()).toBe('')
      return JSON.parse(program.stdout())
    },
    /** The same without a process of its own, of which a test cannot afford dozens. */
    async answers(...args: string[]): Promise<Answer> {
      const writing = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
      const exitCode = process.exitCode
      try {
        await runCli(['node', 'tally', ...args], () => parseConfig(env))
        expect(process.exitCode, args.join(' ')).toBe(exitCode)
        return JSON.parse(writing.mock.calls.map(([text]) => String(text)).join(''))
      } finally {
        writing.mockRestore()
        process.exitCode = exitCode
      }
    },
    /** The one line of a command that does not work. */
    async refuses(...args: string[]): Promise<string> {
      const program = await run('cli', { env, args })
      expect(await program.ended, program.stdout()).toBe(1)
      expect(program.stdout()).toBe('')
      const [, line] = /^tally: (.+)\n$/.exec(program.stderr()) ?? []
      expect(line, program.stderr()).toBeDefined()
      return line ?? ''
    },
    /** The same line without a process of its own. */
    async explains(...args: string[]): Promise<string> {
      const failure = await runCli(['node', 'tally', ...args], () => parseConfig(env)).then(
        () => undefined,
        (error: unknown) => error ?? new Error('nothing was thrown'),
      )
      expect(failure, args.join(' ')).toBeDefined()
      return explainFailure(failure)
    },
  }
}

export type Tally = ReturnType<typeof tallyOn>
