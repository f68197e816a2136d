/** Suites that need programs which npm does not bring: each has its own command, and is no part of `npm test`. */
export type Suite = {
  /** Of vitest: the files called `*.<mode>.test.ts`. */
  mode: 'browser' | 'ops'
  says: string
  /** Debian's programs, with the package that brings each. */
  needs: { program: string; debianPackage: string }[]
}

const SUITES: Record<Suite['mode'], Suite> = {
  browser: {
    mode: 'browser',
    says: 'pages in a real browser',
    needs: [{ program: 'chromium', debianPackage: 'chromium' }],
  },
  ops: {
    mode: 'ops',
    says: 'a deployment beside programs that others run',
    needs: [
      { program: 'pgbouncer', debianPackage: 'pgbouncer' },
      { program: 'redis-server', debianPackage: 'redis-server' },
      { program: 'promtool', debianPackage: 'prometheus' },
      { program: 'git', debianPackage: 'git' },
    ],
  },
}

const isMode = (word: string | undefined): word is Suite['mode'] => word !== undefined && word in SUITES

export function chooseSuite(word: string | undefined): Suite | { fault: string } {
  if (isMode(word)) return SUITES[word]
  return { fault: `The suites are ${Object.keys(SUITES).join(', ')}; not: ${word ?? 'none'}` }
}

/** One line for each program that is not there, with how to get it. */
export const missingPrograms = ({ mode, needs }: Suite, isThere: (program: string) => boolean): string[] =>
  needs
    .filter(({ program }) => !isThere(program))
    .map(({ program, debianPackage }) => `test:${mode} needs ${program}: apt-get install ${debianPackage}`)
