import { explainFailure, helpFor, runCli } from '@tallystick/cli'
import { expect, vi } from 'vitest'
import { parseConfig } from '../../src/platform/config.ts'
import { run } from './program.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
type Answer = any

/** What a command prints, and how it would end, without a process of its own, of which tests cannot afford dozens. */
export async function tallyHere(
  env: Record<string, string>,
  args: readonly string[],
): Promise<{ text: string; exitCode: unknown }> {
  const writing = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const before = process.exitCode
  process.exitCode = undefined
  try {
    await runCli(['node', 'tally', ...args], () => parseConfig(env))
    return { text: writing.mock.calls.map(([text]) => String(text)).join(''), exitCode: process.exitCode }
  } finally {
    writing.mockRestore()
    process.exitCode = before
  }
}

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
    /** The same without a process of its own. */
    async answers(...args: string[]): Promise<Answer> {
      return JSON.parse(await this.shows(...args))
    },
    /** What it prints, as it stands there. */
    async shows(...args: string[]): Promise<string> {
      const { text, exitCode } = await tallyHere(env, args)
      expect(exitCode, args.join(' ')).toBeUndefined()
      return text
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
      return (await this.objects(...args)).line
    },
    /** With the help that comes after it, and what the failure was. */
    async objects(...args: string[]): Promise<{ line: string; help: string; failure: Error }> {
      const argv = ['node', 'tally', ...args]
      const readConfig = () => parseConfig(env)
      const failure = await runCli(argv, readConfig).then(
        () => undefined,
        (error: unknown) => error ?? new Error('nothing was thrown'),
      )
      expect(failure, args.join(' ')).toBeInstanceOf(Error)
      const [line, help] = [explainFailure(failure), helpFor(failure, argv, readConfig)]
      return { line, help, failure: failure as Error }
    },
  }
}

export type Tally = ReturnType<typeof tallyOn>
